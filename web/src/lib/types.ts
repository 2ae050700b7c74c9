// What travels between the page and its server: the types of `schema.d.ts`, which are generated from the API's
// description, under the names that the page uses.

import type * as api from './schema'

/** Anything that JSON can say. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined }

/** A generated type in which what may be anything is JSON. */
type WithJson<T> = unknown extends T
  ? Json | undefined
  : T extends object
    ? { [Key in keyof T]: WithJson<T[Key]> }
    : T

/** A battle file: `system` names the rules, everything else is as those rules have it. */
export type Battle = WithJson<api.Battle>

/** What is left after the attack. */
export type Result = { [key: string]: Json | undefined }

/** How a battle stands at one moment: the shape of a result, with every mark, and whose everything is. */
export type State = Result

export type Fault = Pick<api.Fault, 'place' | 'message'> & Partial<api.Fault>

/** What a value of a battle file may be. */
export type ValueKind = WithJson<api.ValueForm>
export type Field = WithJson<api.FieldForm>
export type Switch = WithJson<api.SwitchInfo>
export type SystemInfo = Omit<WithJson<api.SystemInfo>, 'example' | 'examples'> & {
  example: Battle
  examples: (Omit<api.ExampleBattle, 'battle'> & { battle: Battle })[]
}

export type Role = 'attacker' | 'defender'
/** Every side with its role, in the file's order. */
export type Sides = Record<string, Role>

/** What a die shows; a blank face is an empty text. */
export type Face = number | string
export type RolledPool = api.RolledPool
export type Fate = RolledPool['fates'][number]
/** Dice of one kind that are to be rolled. */
export type OpenPool = api.OpenPool

/** One step of a play. `kind` tells which. */
export type PlayEvent = WithJson<api.RollEvent> | WithJson<api.ChoiceEvent> | WithJson<api.ChangeEvent>
export type RollQuestion = api.RollQuestion
export type ChoiceQuestion = api.ChoiceQuestion
export type Question = RollQuestion | ChoiceQuestion

/** An answer as in scripts. */
export type Answer = { roll: Face[] } | { choose: string }
/** A question that was answered, as logs have it. Of fair dice, each has a name. */
export type Move = api.Move & { dice?: string[] | null }

/** A battle as far as it was played. */
export type PlayResponse = WithJson<api.Play>
/** A live battle as one of its seats sees it. */
export type LiveState = Omit<LiveChange, 'battle' | 'keep'> & { battle: Battle }
/** What is sent of it: all, or what comes behind the events and moves to `keep`. */
export type LiveChange = WithJson<api.LiveState>
export type LiveOptions = api.Options
export type OpenedBattle = api.OpenedBattle
export type NextBattle = api.NextBattle
export type ClaimedSeat = api.ClaimedSeat

export type Policy = api.Policy

/** How both roles are assumed to decide, and what for. */
export interface Assumptions {
  attacker: Policy
  defender: Policy
  objective: string
}

/** A number in JSON, or a fraction such as `7/36`. */
export type ExactNumber = number | string

/** A number (or a name, or yes and no) that people ask about: how likely each value is. */
export type Measure = api.Summary
export type Outcome = WithJson<api.Outcome>

/** The odds of every result; of sampled ones, from how many battles. */
export type Odds = Omit<WithJson<api.Odds>, 'summaries' | 'measures'> &
  Partial<Pick<api.Sample, 'n' | 'seed' | 'value_error'>> & { summaries: Measure[] }

/** An attack that is possible now, by itself. */
export type AttackValue = api.AttackValue
export type TurnPlan = api.TurnPlan
export type PlanStep = api.PlanStep
/** What follows a turn that is over. */
export type NextTurn = Omit<api.NextTurn, 'battle'> & { battle: Battle | null }

export type Luck = WithJson<api.Luck>
export type OptionAdvice = Omit<WithJson<api.OptionAdvice>, 'summaries' | 'measures'> & {
  summaries?: Measure[]
}

/** The open decision, the best option first; if dice are to be rolled, or the battle is over, there are no options. */
export type Advice = Omit<WithJson<api.Advice>, 'options'> & { options: OptionAdvice[] }

/** What every other way to play a house rule changes in a battle, the largest change first. */
export interface RuleEffects {
  objective: string
  value: ExactNumber
  effects: {
    switch: string
    to: Json
    change: ExactNumber
    largest: { measure: string; value: Json; p: [ExactNumber, ExactNumber] } | null
  }[]
  without_effect: string[]
}
