// What travels between the page and its server, as the page reads it.

/** Anything that JSON can say. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined }

/** A battle file: `system` names the rules, everything else is as those rules have it. */
export type Battle = { system: string; [key: string]: Json | undefined }

/** What is left after the attack. */
export type Result = { [key: string]: Json | undefined }

/** One thing wrong: where in the battle (`units[1].at`), and what. `line` is known of files. */
export interface Fault {
  place: string
  message: string
  line?: number
}

/** Which values a field takes. */
export interface Kind {
  kind: 'number' | 'text' | 'flag' | 'one of' | 'table' | 'list' | 'fixed' | 'named' | 'either'
  nullable?: boolean
  at_least?: number | null
  at_most?: number | null
  choices?: (string | number | boolean)[]
  fields?: Field[]
  of?: Kind[]
}

/** One field of a battle file. */
export interface Field {
  name: string
  says: string
  paragraph: string
  expects: string
  required: boolean
  default: Json
  kind: Kind
}

export interface Switch {
  name: string
  default: Json
  alternatives: Json[]
  says: string
  paragraph: string
}

export interface Rule {
  paragraph: string
  rule: string
  says: string
}

export interface Example {
  name: string
  story: string
  battle: Battle
}

export interface SystemInfo {
  name: string
  title: string
  /** What it is, in a line. */
  summary: string
  /** In the chapter's order. */
  rules: Rule[]
  /** Paragraphs that are no rule, in our words. */
  paragraphs: Record<string, string>
  switches: Switch[]
  /** By name, what each means. */
  objectives: Record<string, string>
  sources: { what: string; figure: string; mark: string }[]
  fields: Field[]
  /** Ready-made units by name, as a battle file would write them. */
  roster: Record<string, { [key: string]: Json | undefined }>
  /** A small battle to start from. */
  example: Battle
  examples: Example[]
}

export type Side = 'attacker' | 'defender'

/** What a die shows; a blank face is an empty text. */
export type Face = number | string

export type Fate = 'wins' | 'loses' | 'ties' | 'unused'

/** Dice of one kind that one player rolled; `fates` is empty where the rule tells none. */
export interface Hand {
  by: string
  die: string
  faces: Face[]
  fates: Fate[]
}

/** Something that happened in play: the paragraph, and what it was in a line. */
export type Event =
  | { rule: string; what: string; kind: 'change' }
  | { rule: string; what: string; kind: 'choice'; by: string; prompt: string; choose: string }
  | { rule: string; what: string; kind: 'roll'; dice: Hand[] }

/** Dice of one kind that are to be rolled. */
export interface HandfulDue {
  by: string
  count: number
  die: string
  faces: Face[]
}

export interface RollDue {
  kind: 'roll'
  rule: string
  asked: string
  dice: HandfulDue[]
}

export interface ChoiceDue {
  kind: 'choice'
  rule: string
  asked: string
  by: string
  side: Side
  prompt: string
  optional: boolean
  options: { id: string; label: string }[]
}

export type Question = RollDue | ChoiceDue

/** An answer as in scripts. */
export type Answer = { roll: Face[] } | { choose: string }

/** A question that was answered, as logs have it: with dice, or with an option. */
export interface Move {
  rule: string
  asked: string
  roll?: Face[] | null
  choose?: string | null
  machine?: boolean | null
  /** Of fair dice, the name of each. */
  dice?: string[] | null
}

/** A battle as far as it was played. */
export interface Played {
  system: string
  question: Question | null
  result: Result | null
  events: Event[]
  moves: Move[]
  seed: string | null
}

export type Policy = 'best' | 'eager' | 'cautious' | 'random'

/** How both sides are taken to decide, and what for. */
export interface Aims {
  attacker: Policy
  defender: Policy
  objective: string
}

/** A number in JSON, or a fraction such as `7/36`. */
export type Exact = number | string

/** A number (or a name, or yes and no) that people ask about: how likely each value is. */
export interface Measure {
  name: string
  side: Side | null
  values: [number | string | boolean, Exact][]
  mean: Exact | null
  sd: number | null
}

export interface Outcome {
  p: Exact
  result: Result
  error?: number
}

export interface Odds {
  system: string
  /** Not sampled. */
  exact: boolean
  objective: string
  value: Exact
  policies: Record<Side, Policy>
  outcomes: Outcome[]
  measures: Measure[]
  /** Of sampled odds: how many battles, from which seed, and the standard error of the value. */
  n?: number
  seed?: number
  value_error?: number
}

/** Where a number of a result lies in the odds at the start: how likely less, just as much and more of it were. */
export interface Standing {
  name: string
  got: number
  less: number
  same: number
  more: number
  /** Whose loss it is; null for the objective, of which the attacking side wants much. */
  loss_of: Side | null
}

/** How lucky each side was in a battle that is over. */
export interface Luck {
  exact: boolean
  objective: string
  policies: Record<Side, Policy>
  /** The chance of just this result; 0 if it cannot come about as both sides were taken to decide. */
  chance: number
  /** Its place by likelihood, from 1, among so many. */
  rank: number
  results: number
  standings: Standing[]
  /** What the attacking side could expect, what dice and decisions added to it, what it came to; not of a sample. */
  start?: number
  luck?: number
  decisions?: number
  worth?: number
}

export interface Advised {
  id: string
  label: string
  value: Exact
  best: boolean
  outcomes: Outcome[]
  measures: Measure[]
}

/** What is due: a decision with its options, the best first; or dice, or nothing, and then no options. */
export interface Advice {
  by: Side | null
  player: string | null
  prompt: string
  rule: string | null
  objective: string
  options: Advised[]
}
