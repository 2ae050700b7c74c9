// The odds of a battle and the advice on its open decision, asked for again whenever the battle changes.

import { RefusedError, askAdvice, askAttacks, askOdds, askPlan, askPlay, faultsOf, sampleOdds } from './api'
import { Latest } from './latest'
import { recall, remember } from './memory'
import { isTurn } from './turns'
import type {
  Advice,
  Answer,
  Assumptions,
  AttackValue,
  Battle,
  Fault,
  Odds,
  Sides,
  State,
  TurnPlan,
} from './types'

export const PAUSE = 150
/** Work that takes longer can be stopped. */
const LONG = 2_000

const BOTH_BEST: Assumptions = { attacker: 'best', defender: 'best', objective: 'swing' }

const ILLEGAL = 422
/** Options that say nothing without their question. */
const SHORT: readonly string[] = ['yes', 'no']

/** How odds are computed: exactly, or from a number of sampled battles. */
type Method = 'exact' | number

/** A legal battle, with its state before anything has happened. */
export interface StartState {
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
  start = $state.raw<StartState | null>(null)
  isWorking = $state(false)
  /** Whether the work takes so long that stopping it is offered. */
  isSlow = $state(false)
  /** Whether the last request for odds was stopped. */
  isStopped = $state(false)
  /** Why there are no odds: the battle is not legal, or the server did not answer. */
  faults = $state.raw<Fault[]>([])
  /** Whether the failure has a cause outside the battle, so that a retry may help. */
  canRetry = $state(false)
  /** Exact work would be too large: sampling is offered. */
  tooLarge = $state<string | null>(null)
  adviceFailed = $state<string | null>(null)
  /** In a turn: the attacks that are possible now, each by itself; none while one is under way. */
  attacks = $state.raw<AttackValue[]>([])
  /** The best way to play what is left of a turn. */
  plan = $state.raw<TurnPlan | null>(null)
  /** Whether the odds are in fractions. */
  inFractions = $state(false)

  /** The battle that was asked about last. */
  battle: Battle | null = null
  #answers: Answer[] = []
  /** Whether the next attack of a turn is to be chosen. */
  #canPlan = false
  #slow: ReturnType<typeof setTimeout> | undefined
  readonly #odds = new Latest()
  readonly #advice = new Latest()
  readonly #start = new Latest()
  readonly #attacks = new Latest()
  readonly #plan = new Latest()

  /** Ask for the odds of this battle, and for advice after these answers; in a turn, unless an attack is under way. */
  solve(battle: Battle, answers: Answer[] = [], isUnderWay = false): void {
    const isOther = JSON.stringify(battle) !== JSON.stringify(this.battle)
    this.battle = battle
    this.#answers = answers
    this.#canPlan = isTurn(battle) && !isUnderWay
    if (!isOther) {
      this.#list()
      return this.advise()
    }
    this.plan = null
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
    const battle = this.battle
    if (!battle) return
    const assumptions = { ...this.assumptions }
    const method = this.method
    this.#begin()
    this.#list()
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
        this.plan = null
        if (error instanceof RefusedError && error.isTooLarge) this.tooLarge = error.message
        else this.faults = faultsOf(error)
        this.canRetry = !(error instanceof RefusedError && error.status === ILLEGAL)
      },
    )
  }

  /** List the attacks that are possible now. They are known also where a whole turn is too large. */
  #list(): void {
    const [battle, answers, { defender }] = [this.battle, this.#answers, this.assumptions]
    this.#attacks.stop()
    if (!battle || !this.#canPlan) {
      this.attacks = []
      return
    }
    this.#attacks.ask(
      0,
      (signal) => askAttacks(battle, defender, answers, signal),
      (attacks) => (this.attacks = attacks),
      () => (this.attacks = []),
    )
  }

  #planAhead(pause: number): void {
    const [battle, assumptions, answers] = [this.battle, { ...this.assumptions }, this.#answers]
    this.#plan.stop()
    if (!battle || !this.#canPlan) return
    this.#plan.ask(
      pause,
      (signal) => askPlan(battle, assumptions, answers, signal),
      (plan) => (this.plan = plan),
      () => (this.plan = null),
    )
  }

  advise(pause = PAUSE): void {
    const battle = this.battle
    if (!battle || !this.advises) {
      this.#advice.stop()
      this.#plan.stop()
      this.advice = null
      this.plan = null
      return
    }
    this.#planAhead(pause)
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

  /** The first decision that the odds assume: the best option, as in `mortar, called in (2 d8, for 1 supply)`. */
  get first(): string | null {
    const { advice, assumptions } = this
    if (advice?.by !== 'attacker' || this.#answers.length || assumptions.attacker !== 'best') return null
    const best = advice.options.find((option) => option.best)
    if (!best || advice.options.length < 2 || SHORT.includes(best.id)) return null
    return best.label
  }

  sample(battles: number): void {
    this.method = battles
    this.again(0)
  }

  /** Sample with random decisions, which need no solution. */
  sampleAtRandom(battles: number): void {
    Object.assign(this.assumptions, { attacker: 'random', defender: 'random' })
    this.sample(battles)
  }

  computeExactly(): void {
    this.method = 'exact'
    this.again(0)
  }

  /** The same odds, every number as a fraction. */
  async toFractions(): Promise<void> {
    const battle = this.battle
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
    this.#attacks.stop()
    this.#plan.stop()
  }

  /** Stop computing, and offer faster ways such as sampling. */
  giveUp(): void {
    this.stop()
    this.#finish()
    this.isStopped = true
  }

  #begin(): void {
    this.isWorking = true
    this.isStopped = false
    clearTimeout(this.#slow)
    this.#slow = setTimeout(() => (this.isSlow = this.isWorking), LONG)
  }

  #finish(): void {
    clearTimeout(this.#slow)
    this.isWorking = false
    this.isSlow = false
    this.isStopped = false
    this.faults = []
    this.tooLarge = null
  }
}
