// The odds of a battle and the advice on its open decision, asked for again whenever the battle changes.

import { Refused, askAdvice, askOdds, askPlay, faultsOf, sampleOdds } from './api'
import { Latest } from './latest'
import { recall, remember } from './memory'
import type { Advice, Answer, Assumptions, Battle, Fault, Odds, Sides, State } from './types'

export const PAUSE = 150

const BOTH_BEST: Assumptions = { attacker: 'best', defender: 'best', objective: 'swing' }

const ILLEGAL = 422

/** How odds are found: computed exactly, or sampled from so many battles. */
export type Method = 'exact' | number

/** A legal battle, with its state before anything has happened. */
export interface Start {
  battle: Battle
  state: State
}

export class Solver {
  assumptions = $state<Assumptions>({ ...BOTH_BEST })
  method = $state<Method>('exact')
  /** Whether options are compared; off for a fair game. */
  advises = $state(recall('advises', true))

  /** The last odds; while `isWorking` they are not yet those of the battle as it stands. */
  odds = $state.raw<Odds | null>(null)
  advice = $state.raw<Advice | null>(null)
  /** The sides of the last legal battle, with their roles. */
  sides = $state.raw<Sides>({})
  /** That battle, and its state before anything has happened. */
  start = $state.raw<Start | null>(null)
  isWorking = $state(false)
  /** Why there are no odds: the battle is not legal, or the server did not answer. */
  faults = $state.raw<Fault[]>([])
  /** The battle is not to blame. */
  canRetry = $state(false)
  /** Exact work would be too large: sampling is offered. */
  tooLarge = $state<string | null>(null)
  adviceFailed = $state<string | null>(null)
  /** Whether the odds are in fractions. */
  inFractions = $state(false)

  #battle: Battle | null = null
  #answers: Answer[] = []
  readonly #odds = new Latest()
  readonly #advice = new Latest()
  readonly #start = new Latest()

  /** Ask for the odds of this battle, and for advice after these answers. */
  solve(battle: Battle, answers: Answer[] = []): void {
    const isOther = JSON.stringify(battle) !== JSON.stringify(this.#battle)
    this.#battle = battle
    this.#answers = answers
    if (!isOther) return this.advise()
    this.#start.ask(
      this.odds ? PAUSE : 0,
      (signal) => askPlay(battle, [], undefined, signal),
      ({ sides, state }) => {
        this.sides = sides
        this.start = { battle, state }
      },
      () => undefined,
    )
    this.again()
  }

  /** The assumptions or the method have changed. */
  again(pause = PAUSE): void {
    const battle = this.#battle
    if (!battle) return
    const assumptions = { ...this.assumptions }
    const method = this.method
    this.isWorking = true
    this.#advice.stop()
    this.#odds.ask(
      pause,
      (signal) =>
        method === 'exact'
          ? askOdds(battle, assumptions, false, signal)
          : sampleOdds(battle, assumptions, method, signal),
      (odds) => {
        this.odds = odds
        this.inFractions = false
        this.#finish()
        this.advise(0)
      },
      (error) => {
        this.#finish()
        this.advice = null
        if (error instanceof Refused && error.isTooLarge) this.tooLarge = error.message
        else this.faults = faultsOf(error)
        this.canRetry = !(error instanceof Refused && error.status === ILLEGAL)
      },
    )
  }

  advise(pause = PAUSE): void {
    const battle = this.#battle
    if (!battle || !this.advises) {
      this.#advice.stop()
      this.advice = null
      return
    }
    const [assumptions, answers] = [{ ...this.assumptions }, this.#answers]
    this.#advice.ask(
      pause,
      (signal) => askAdvice(battle, assumptions, answers, signal),
      (advice) => {
        this.advice = advice
        this.adviceFailed = null
      },
      (error) => {
        this.advice = null
        this.adviceFailed = error instanceof Error ? error.message : String(error)
      },
    )
  }

  sample(battles: number): void {
    this.method = battles
    this.again(0)
  }

  computeExactly(): void {
    this.method = 'exact'
    this.again(0)
  }

  /** The same odds, every number as a fraction. */
  async toFractions(): Promise<void> {
    const battle = this.#battle
    const shown = this.odds
    if (!battle || !shown?.exact) return
    const exact = await askOdds(battle, { ...this.assumptions }, true)
    if (this.odds !== shown) return
    this.odds = exact
    this.inFractions = true
  }

  setAdvises(advises: boolean): void {
    this.advises = advises
    remember('advises', advises)
    this.advise(0)
  }

  stop(): void {
    this.#odds.stop()
    this.#advice.stop()
    this.#start.stop()
  }

  #finish(): void {
    this.isWorking = false
    this.faults = []
    this.tooLarge = null
  }
}
