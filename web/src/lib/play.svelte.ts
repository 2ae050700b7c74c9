// A battle played at this table: one answer after the other, and the way back as far as the last die.

import { type Deciders, battleAfter, faultsOf, goOnPlaying } from './api'
import { MachineDice } from './dice'
import type { Answer, Battle, Face, Fault, Move, Played, RollDue } from './types'

/** Where an answer came from. */
export type Origin = 'person' | 'policy' | 'table' | 'machine'

export interface Step {
  answer: Answer
  from: Origin
}

/** All that is needed to go on later. */
export interface KeptPlay {
  seed: string
  draws: number
  steps: Step[]
  dice: 'machine' | 'table'
  deciders: Deciders
}

/** A play as `grognard replay` reads it. */
export interface PlayLog {
  grognard: 1
  battle: Battle
  seed: string | null
  moves: Move[]
  result: Played['result']
}

export class Play {
  /** What happened and what is due; null before the server has said so. */
  told = $state.raw<Played | null>(null)
  steps = $state.raw<Step[]>([])
  dice = $state<'machine' | 'table'>('machine')
  readonly deciders: Deciders
  readonly seed: string
  isBusy = $state(false)
  faults = $state.raw<Fault[]>([])
  #draws: number

  constructor(
    readonly battle: Battle,
    kept: KeptPlay,
  ) {
    this.seed = kept.seed
    this.steps = kept.steps
    this.dice = kept.dice
    this.deciders = kept.deciders
    this.#draws = kept.draws
  }

  get script(): Answer[] {
    return this.steps.map((step) => step.answer)
  }

  get isOver(): boolean {
    return this.told !== null && this.told.question === null
  }

  get hasRolled(): boolean {
    return this.steps.some((step) => 'roll' in step.answer)
  }

  /** How many answers are left if the last one that a person gave is taken back; null if a machine's die fell since. */
  get #undone(): number | null {
    const last = this.steps.findLastIndex((step) => step.from !== 'policy')
    return last >= 0 && this.steps[last]?.from !== 'machine' ? last : null
  }

  get canUndo(): boolean {
    return this.#undone !== null
  }

  begin(): Promise<void> {
    return this.#goOn(this.steps)
  }

  choose(option: string): Promise<void> {
    return this.#goOn([...this.steps, { answer: { choose: option }, from: 'person' }])
  }

  /** What fell on the table. */
  enter(faces: Face[]): Promise<void> {
    return this.#goOn([...this.steps, { answer: { roll: faces }, from: 'table' }])
  }

  /** Roll the machine's dice. */
  async roll(): Promise<void> {
    const due = this.told?.question
    if (due?.kind !== 'roll' || this.isBusy) return
    const machine = new MachineDice(this.seed, this.#draws)
    const faces = await rollAll(due, machine)
    await this.#goOn([...this.steps, { answer: { roll: faces }, from: 'machine' }], machine.draws)
  }

  async undo(): Promise<void> {
    if (this.#undone !== null) await this.#goOn(this.steps.slice(0, this.#undone))
  }

  after(): Promise<Battle> {
    return battleAfter(this.battle, this.script)
  }

  log(): PlayLog {
    const isMachine = (number: number) => this.steps[number]?.from === 'machine'
    const moves = (this.told?.moves ?? []).map((move, number) => ({
      ...move,
      ...(isMachine(number) ? { machine: true } : {}),
    }))
    const seed = moves.some((move) => move.machine) ? this.seed : null
    return { grognard: 1, battle: this.battle, seed, moves, result: this.told?.result ?? null }
  }

  keep(): KeptPlay {
    const { seed, steps, dice, deciders } = this
    return { seed, draws: this.#draws, steps, dice, deciders }
  }

  async #goOn(steps: Step[], draws = this.#draws): Promise<void> {
    if (this.isBusy) return
    this.isBusy = true
    this.faults = []
    try {
      const script = steps.map((step) => step.answer)
      const told = await goOnPlaying(this.battle, script, this.deciders)
      const decided = told.moves.slice(steps.length)
      this.told = told
      this.steps = [...steps, ...decided.map((move): Step => ({ answer: answerOf(move), from: 'policy' }))]
      this.#draws = draws
    } catch (error) {
      this.faults = faultsOf(error)
    } finally {
      this.isBusy = false
    }
  }
}

async function rollAll(due: RollDue, machine: MachineDice): Promise<Face[]> {
  const faces: Face[] = []
  for (const handful of due.dice) {
    for (let count = 0; count < handful.count; count++) faces.push(await machine.roll(handful.faces))
  }
  return faces
}

/** The answer in a move, without what else a log says of it. */
export function answerOf(move: Move): Answer {
  return move.roll ? { roll: move.roll } : { choose: move.choose ?? '' }
}
