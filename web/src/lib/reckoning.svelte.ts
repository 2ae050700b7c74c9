// The odds of a battle and the advice on what is due, kept up to date with whatever is touched.

import { Refused, askAdvice, askOdds, faultsOf, sampleOdds } from './api'
import { Latest } from './latest'
import { recall, remember } from './memory'
import type { Advice, Aims, Answer, Battle, Fault, Odds } from './types'

export const PAUSE = 150

const AS_PLAYED_BY_ALL: Aims = { attacker: 'best', defender: 'best', objective: 'swing' }

const ILLEGAL = 422
/** The server's advice for those who have no page in front of them. */
const ADVICE_FOR_PROGRAMS = /; sample it instead \(simulate\)$/

/** How odds are come by: all of them worked out, or so many battles sampled. */
export type Method = 'exact' | number

export class Reckoning {
  aims = $state<Aims>({ ...AS_PLAYED_BY_ALL })
  method = $state<Method>('exact')
  /** Whether options are weighed; off for a fair game. */
  advises = $state(recall('advises', true))

  /** The last odds that were found; while `isWorking` they are not yet those of the battle as it stands. */
  odds = $state.raw<Odds | null>(null)
  advice = $state.raw<Advice | null>(null)
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
  #script: Answer[] = []
  readonly #odds = new Latest()
  readonly #advice = new Latest()

  /** Work out the odds of this battle, and the advice after these answers. */
  of(battle: Battle, script: Answer[] = []): void {
    const isOther = JSON.stringify(battle) !== JSON.stringify(this.#battle)
    this.#battle = battle
    this.#script = script
    if (isOther) this.again()
    else this.adviseAgain()
  }

  /** What both sides do has changed, or how odds are come by. */
  again(pause = PAUSE): void {
    const battle = this.#battle
    if (!battle) return
    const aims = { ...this.aims }
    const method = this.method
    this.isWorking = true
    this.#advice.stop()
    this.#odds.ask(
      pause,
      (signal) =>
        method === 'exact' ? askOdds(battle, aims, false, signal) : sampleOdds(battle, aims, method, signal),
      (odds) => {
        this.odds = odds
        this.inFractions = false
        this.#settle()
        this.adviseAgain(0)
      },
      (error) => {
        this.#settle()
        this.advice = null
        if (error instanceof Refused && error.isTooLarge)
          this.tooLarge = error.message.replace(ADVICE_FOR_PROGRAMS, '')
        else this.faults = faultsOf(error)
        this.canRetry = !(error instanceof Refused && error.status === ILLEGAL)
      },
    )
  }

  adviseAgain(pause = PAUSE): void {
    const battle = this.#battle
    if (!battle || !this.advises) {
      this.#advice.stop()
      this.advice = null
      return
    }
    const [aims, script] = [{ ...this.aims }, this.#script]
    this.#advice.ask(
      pause,
      (signal) => askAdvice(battle, aims, script, signal),
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

  sample(walks: number): void {
    this.method = walks
    this.again(0)
  }

  workOutExactly(): void {
    this.method = 'exact'
    this.again(0)
  }

  /** The same odds, every number as a fraction. */
  async toFractions(): Promise<void> {
    const battle = this.#battle
    const shown = this.odds
    if (!battle || !shown?.exact) return
    const exact = await askOdds(battle, { ...this.aims }, true)
    if (this.odds !== shown) return
    this.odds = exact
    this.inFractions = true
  }

  setAdvises(advises: boolean): void {
    this.advises = advises
    remember('advises', advises)
    this.adviseAgain(0)
  }

  stop(): void {
    this.#odds.stop()
    this.#advice.stop()
  }

  #settle(): void {
    this.isWorking = false
    this.faults = []
    this.tooLarge = null
  }
}
