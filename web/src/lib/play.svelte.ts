// A play at this table: one answer after another, with undo back to the last machine roll.

import { type Deciders, RefusedError, askPlay, battleAfter, faultsOf, isAborted } from './api'
import { MachineDice } from './dice'
import { isTurn } from './turns'
import type { Answer, Battle, Face, Fault, Move, PlayResponse, Result, RollQuestion } from './types'

/** The origin of an answer. */
type Origin = 'person' | 'policy' | 'table' | 'machine'

/** Whether the page rolls, or the players type what they rolled. */
export type DiceMode = 'machine' | 'table'

export interface Step {
  answer: Answer
  from: Origin
}

/** The stored form of a play. */
export interface KeptPlay {
  seed: string
  draws: number
  steps: Step[]
  dice: DiceMode
  deciders: Deciders
  /** Why the computer plays greedily in place of its best. */
  fellBack?: string | undefined
}

/** A play as `grognard replay` reads it. */
export interface PlayLog {
  grognard: 2
  battle: Battle
  seed: string | null
  moves: Move[]
  result: Result | null
}

export class Play {
  /** The events and the open question; null until the first response. */
  response = $state.raw<PlayResponse | null>(null)
  steps = $state.raw<Step[]>([])
  dice = $state<DiceMode>('machine')
  deciders: Deciders
  fellBack = $state<string | undefined>()
  readonly seed: string
  isBusy = $state(false)
  faults = $state.raw<Fault[]>([])
  #draws: number
  readonly #stopped = new AbortController()

  constructor(
    readonly battle: Battle,
    kept: KeptPlay,
  ) {
    this.seed = kept.seed
    this.steps = kept.steps
    this.dice = kept.dice
    this.deciders = kept.deciders
    this.fellBack = kept.fellBack
    this.#draws = kept.draws
  }

  /** Abort pending requests. */
  stop(): void {
    this.#stopped.abort()
  }

  get answers(): Answer[] {
    return this.steps.map((step) => step.answer)
  }

  get isOver(): boolean {
    return this.response !== null && this.response.question === null
  }

  get hasRolled(): boolean {
    return this.steps.some((step) => 'roll' in step.answer)
  }

  /** The number of answers left after undoing a person's last one; null if the computer has rolled since. */
  get #undone(): number | null {
    const last = this.steps.findLastIndex((step) => step.from !== 'policy')
    return last >= 0 && this.steps[last]?.from !== 'machine' ? last : null
  }

  get canUndo(): boolean {
    return this.#undone !== null
  }

  begin(): Promise<void> {
    return this.#advance(this.steps)
  }

  choose(option: string): Promise<void> {
    return this.#advance([...this.steps, { answer: { choose: option }, from: 'person' }])
  }

  /** The faces that the players rolled themselves. */
  enter(faces: Face[]): Promise<void> {
    return this.#advance([...this.steps, { answer: { roll: faces }, from: 'table' }])
  }

  /** Roll the machine's dice. */
  async roll(): Promise<void> {
    const question = this.response?.question
    if (question?.kind !== 'roll' || this.isBusy) return
    const machine = new MachineDice(this.seed, this.#draws)
    const faces = await rollAll(question, machine)
    await this.#advance([...this.steps, { answer: { roll: faces }, from: 'machine' }], machine.draws)
  }

  async undo(): Promise<void> {
    if (this.#undone !== null) await this.#advance(this.steps.slice(0, this.#undone))
  }

  after(): Promise<Battle> {
    return battleAfter(this.battle, this.answers)
  }

  log(): PlayLog {
    const isMachine = (number: number) => this.steps[number]?.from === 'machine'
    const moves = (this.response?.moves ?? []).map((move, number) => ({
      ...move,
      ...(isMachine(number) ? { machine: true } : {}),
    }))
    const seed = moves.some((move) => move.machine) ? this.seed : null
    return { grognard: 2, battle: this.battle, seed, moves, result: this.response?.result ?? null }
  }

  keep(): KeptPlay {
    const { seed, steps, dice, deciders, fellBack } = this
    return { seed, draws: this.#draws, steps, dice, deciders, fellBack }
  }

  /** In a turn that is too large for best play, the computer goes on greedily, and says so. */
  async #ask(answers: Answer[]): Promise<PlayResponse> {
    const { signal } = this.#stopped
    try {
      return await askPlay(this.battle, answers, this.deciders, signal)
    } catch (error) {
      const isTooLarge = error instanceof RefusedError && error.isTooLarge
      if (!isTooLarge || !isTurn(this.battle) || this.fellBack !== undefined) throw error
      this.deciders = greedy(this.deciders)
      this.fellBack = error.message
      return await askPlay(this.battle, answers, this.deciders, signal)
    }
  }

  async #advance(steps: Step[], draws = this.#draws): Promise<void> {
    if (this.isBusy) return
    this.isBusy = true
    this.faults = []
    try {
      const answers = steps.map((step) => step.answer)
      const response = await this.#ask(answers)
      const decided = response.moves.slice(steps.length)
      this.response = response
      this.steps = [...steps, ...decided.map((move): Step => ({ answer: answerOf(move), from: 'policy' }))]
      this.#draws = draws
    } catch (error) {
      if (!isAborted(error)) this.faults = faultsOf(error)
    } finally {
      this.isBusy = false
    }
  }
}

/** The same deciders, with `greedy` in place of `best`. */
function greedy({ attacker, defender, objective }: Deciders): Deciders {
  const instead = (decider: Deciders['attacker']) => (decider === 'best' ? 'greedy' : decider)
  return { attacker: instead(attacker), defender: instead(defender), objective }
}

async function rollAll(question: RollQuestion, machine: MachineDice): Promise<Face[]> {
  const faces: Face[] = []
  for (const pool of question.dice) {
    for (let count = 0; count < pool.count; count++) faces.push(await machine.roll(pool.faces))
  }
  return faces
}

/** The play in a log, to be looked at or gone on with. */
export function playOf({ seed, moves }: Pick<PlayLog, 'seed' | 'moves'>): KeptPlay {
  const steps = moves.map((move): Step => {
    const answer = answerOf(move)
    return { answer, from: 'choose' in answer ? 'person' : move.machine ? 'machine' : 'table' }
  })
  const draws = moves.reduce((count, move) => count + (move.machine ? (move.roll?.length ?? 0) : 0), 0)
  const deciders = { attacker: 'ask', defender: 'ask', objective: 'swing' } as const
  return { seed: seed ?? '', draws, steps, dice: seed === null ? 'table' : 'machine', deciders }
}

/** The answer in a move, without what else a log says of it. */
export function answerOf(move: Move): Answer {
  return move.roll ? { roll: move.roll } : { choose: move.choose ?? '' }
}
