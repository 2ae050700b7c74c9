// A battle on this device: its set-up with the undo history, its odds, its play, and earlier plays.

import { type Deciders, askNextTurn, askPlay, endTurn } from './api'
import { newSeed } from './dice'
import { type Game, type GameTurn, decidersOf, isIdle, turnSeed } from './game'
import { recall, remember } from './memory'
import { type DiceMode, type KeptPlay, Play, type PlayLog, answerOf, playOf } from './play.svelte'
import { type Scene, sceneOf } from './scene'
import { Looks, orderOf } from './sides'
import { Solver } from './solver.svelte'
import { type TurnView, attacksIn, isNextAttack, isTurn, mainLine, sideOf } from './turns'
import type { Assumptions, Battle, Json, NextTurn, Odds, PlayResponse, SystemInfo } from './types'

/** A set-up that another one is compared with. */
export interface Baseline {
  title: string
  battle: Battle
  odds: Odds
}

/** A play of this table, now or before, with what happened in it. */
export interface PlayRecord {
  log: PlayLog
  response: PlayResponse
}

/** How the next play begins. */
interface PlaySettings {
  dice: DiceMode
  attacker: Deciders['attacker']
  defender: Deciders['defender']
  seed: string
}

/** The stored form of a table. */
export interface Kept {
  id: string
  title: string
  battle: Battle
  assumptions: Assumptions
  play: KeptPlay | null
  /** The game against the computer that the play belongs to. */
  game?: Game | null
  finished: PlayLog[]
  /** The sides in the order in which they got their colours. */
  order: string[]
  /** The time of the last change; 0 if there was none. */
  touched: number
}

const MOST_TABLES = 8
/** Tables that were only opened, stored for reloads and the back button. */
const MOST_UNTOUCHED = 3
const MOST_FINISHED = 20
const MOST_UNDO = 200
/** Changes within this number of milliseconds are one undo step. */
const ONE_TOUCH = 500
/** The computer waits for this number of milliseconds before it rolls, so that people can follow. */
const PACE = 700

export function keptTables(): Kept[] {
  return recall<Kept[]>('tables', [])
}

export function forgetTable(id: string): void {
  remember(
    'tables',
    keptTables().filter((kept) => kept.id !== id),
  )
}

export class Table {
  readonly id: string
  title = $state('')
  battle = $state.raw<Battle>({ system: '' })
  picked = $state<string | null>(null)
  play = $state.raw<Play | null>(null)
  finished = $state.raw<PlayLog[]>([])
  game = $state.raw<Game | null>(null)
  /** The next turn, once this one is over and the engine has answered. */
  following = $state.raw<NextTurn | null>(null)
  /** The attack of a turn that is looked at, by its id. */
  aimed = $state<string | null>(null)
  pinned = $state.raw<Baseline | null>(null)
  /** The step of a play that the map shows; null: the battle as it is now. */
  viewed = $state.raw<{ record: PlayRecord; step: number } | null>(null)
  /** How the next play begins: kept while tabs are switched, and for the next visit. */
  settings = $state<PlaySettings>(
    recall('play settings', { dice: 'machine', attacker: 'ask', defender: 'ask', seed: '' }),
  )
  /** The result of checking the dice of an opened log. */
  note = $state('')
  readonly solver = new Solver()
  #past = $state.raw<Battle[]>([])
  #future = $state.raw<Battle[]>([])
  #changed = 0
  #order: string[]
  #isGoingOn = false
  readonly #responses = new WeakMap<PlayLog, PlayResponse>()

  /** How the sides look, here and in everything beside the map. */
  readonly looks = $derived.by(() => {
    const sides = this.play?.response?.sides ?? this.solver.sides
    this.#order = orderOf(this.#order, sides, this.finished.length > 0)
    return new Looks(this.#order, sides)
  })

  constructor(
    readonly system: SystemInfo,
    battle: Battle,
    title: string,
    kept: Partial<Kept> = {},
  ) {
    this.id = kept.id ?? Math.random().toString(36).slice(2, 10)
    this.battle = battle
    this.title = title
    this.#order = kept.order ?? []
    this.finished = kept.finished ?? []
    if (kept.assumptions) this.solver.assumptions = { ...kept.assumptions }
    if (kept.play) {
      this.game = kept.game ?? null
      this.play = new Play(battle, kept.play)
      void this.play.begin().then(() => this.#advanced())
    }
    this.solve()
  }

  /** A play is under way: the set-up stays as it is. */
  get isPlaying(): boolean {
    return this.play !== null && !this.play.isOver
  }

  get canUndo(): boolean {
    return this.#past.length > 0 && !this.play
  }

  get canRedo(): boolean {
    return this.#future.length > 0 && !this.play
  }

  get changedRules(): number {
    const rules = (this.battle.rules ?? {}) as { [name: string]: Json | undefined }
    return this.system.switches.filter(({ name, default: usual }) => (rules[name] ?? usual) !== usual).length
  }

  /** What the map shows. */
  get scene(): Scene {
    const { viewed, play } = this
    if (viewed) return sceneOf({ ...viewed.record.response, battle: viewed.record.log.battle }, viewed.step)
    if (play?.response) return sceneOf({ ...play.response, battle: play.battle }, null)
    return { battle: this.battle, state: null, shot: null, step: null, steps: 0 }
  }

  /** What the map shows of a turn in which the next attack can be chosen: here, or once it is played. */
  turnView(declare: (id: string) => void): TurnView | null {
    const { solver, play, battle } = this
    const canChoose = !play || isNextAttack(play.response?.question)
    if (!isTurn(battle) || this.viewed || !canChoose) return null
    return {
      side: sideOf(battle),
      attacks: solver.attacks,
      plan: solver.advises ? mainLine(solver.plan?.plan) : [],
      advises: solver.advises,
      aimed: solver.attacks.find((attack) => attack.id === this.aimed) ?? null,
      aim: (id) => (this.aimed = id),
      declare: play ? declare : null,
    }
  }

  /** The play that lies on the table, as far as it went. */
  get record(): PlayRecord | null {
    const response = this.play?.response
    return this.play && response ? { log: this.play.log(), response } : null
  }

  /** Show a step of the play that the map shows, or of the one that lies on the table; null: the present. */
  view(step: number | null): void {
    const record = this.viewed?.record ?? this.record
    this.viewed = step === null || !record ? null : { record, step }
  }

  /** What happened in a play of before. */
  async recordOf(log: PlayLog): Promise<PlayRecord> {
    const response = this.#responses.get(log) ?? (await askPlay(log.battle, log.moves.map(answerOf)))
    this.#responses.set(log, response)
    return { log, response }
  }

  /** Replace the set-up. */
  change(next: Battle): void {
    if (this.isPlaying) return
    const now = Date.now()
    const isSameTouch = now - this.#changed < ONE_TOUCH && this.#past.length > 0
    if (!isSameTouch) this.#past = [...this.#past.slice(-MOST_UNDO), this.battle]
    this.#future = []
    this.#set(next)
    this.#changed = now
  }

  undo(): void {
    const before = this.#past.at(-1)
    if (!before || !this.canUndo) return
    this.#past = this.#past.slice(0, -1)
    this.#future = [...this.#future, this.battle]
    this.#set(before)
  }

  redo(): void {
    const next = this.#future.at(-1)
    if (!next || !this.canRedo) return
    this.#future = this.#future.slice(0, -1)
    this.#past = [...this.#past, this.battle]
    this.#set(next)
  }

  #set(battle: Battle): void {
    this.#changed = 0
    this.#putAway()
    this.battle = battle
    this.solve()
    this.keep()
  }

  /** Request the odds after a change of the battle or the open question. */
  solve(): void {
    const { play } = this
    const question = play?.response?.question
    const isUnderWay =
      play !== null && (question === undefined || (question !== null && !isNextAttack(question)))
    this.solver.solve(this.battle, play?.isOver ? [] : (play?.answers ?? []), isUnderWay)
  }

  /** Abort all requests: the table is closed. */
  stop(): void {
    this.solver.stop()
    this.play?.stop()
  }

  /** Begin to play the set-up as it stands. */
  async startPlay(seed: string): Promise<void> {
    const { attacker, defender } = this.settings
    this.game = null
    await this.#begin(seed, { attacker, defender, objective: this.solver.assumptions.objective })
  }

  /** Begin a game against the computer with the turn as it stands. */
  async startGame(game: Omit<Game, 'turns' | 'objective'>): Promise<void> {
    this.game = { ...game, objective: this.solver.assumptions.objective, turns: [] }
    await this.#beginTurn(this.game)
  }

  #beginTurn(game: Game): Promise<void> {
    return this.#begin(turnSeed(game), decidersOf(game, sideOf(this.battle)))
  }

  async #begin(seed: string, deciders: Deciders): Promise<void> {
    this.#putAway()
    const play = new Play(this.battle, { seed, draws: 0, steps: [], dice: this.settings.dice, deciders })
    this.play = play
    await play.begin()
    this.played()
  }

  /** The turn that is being played, as far as it went. */
  get gameTurn(): GameTurn | null {
    const { play, following } = this
    if (!play?.response) return null
    const attacks = attacksIn(play.response.events).length
    return { side: sideOf(play.battle), attacks, swing: following?.swing ?? 0 }
  }

  /** All turns of the game, the present one included. */
  get gameTurns(): GameTurn[] {
    return [...(this.game?.turns ?? []), ...(this.gameTurn ? [this.gameTurn] : [])]
  }

  /** Why the game is over; null while it goes on. */
  get gameOver(): string | null {
    if (!this.game || !this.following) return null
    if (this.following.over) return this.following.over
    return isIdle(this.gameTurns) ? 'two turns passed without an attack' : null
  }

  /** The turn of the next side; in a game it begins at once. */
  async nextTurn(): Promise<void> {
    const { game, following, gameTurns } = this
    if (!following?.battle || this.gameOver) return
    this.#changed = 0
    this.change(following.battle)
    if (!game) return
    this.game = { ...game, turns: gameTurns }
    await this.#beginTurn(this.game)
  }

  /** After a step of the play: update the odds, and let the computer go on. */
  #advanced(): void {
    this.aimed = null
    this.following = null
    this.solve()
    void this.#goOn()
    void this.#lookAhead()
  }

  /** After a turn: what follows. */
  async #lookAhead(): Promise<void> {
    const { play } = this
    if (!play?.isOver || !isTurn(play.battle)) return
    try {
      const following = await askNextTurn(play.battle, play.answers)
      if (this.play === play && play.isOver) this.following = following
    } catch {
      // turns whose attacks are listed one by one: the next side has to list its own
    }
  }

  /** Whether dice of the computer's own turn are to be rolled. */
  get isRollOfComputer(): boolean {
    const { game, play } = this
    const isItsTurn = game !== null && play !== null && sideOf(play.battle) === game.computer
    return isItsTurn && play.dice === 'machine' && play.response?.question?.kind === 'roll'
  }

  /** In its own turn the computer rolls by itself, one roll after the other. */
  async #goOn(): Promise<void> {
    if (this.#isGoingOn) return
    this.#isGoingOn = true
    const isStill = globalThis.matchMedia?.('(prefers-reduced-motion: reduce)').matches
    while (this.isRollOfComputer && !this.play?.faults.length) {
      await new Promise((done) => setTimeout(done, isStill ? 0 : PACE))
      if (this.isRollOfComputer) await this.play?.roll()
      this.solve()
      this.keep()
    }
    this.#isGoingOn = false
    if (this.game) void this.#lookAhead()
  }

  setDice(dice: DiceMode): void {
    this.settings.dice = dice
    if (this.play) this.play.dice = dice
    this.keepSettings()
  }

  keepSettings(): void {
    remember('play settings', { ...this.settings, seed: '' })
    if (this.play) this.keep()
  }

  /** Update everything after an answer was given or undone. */
  played(): void {
    this.viewed = null
    this.#advanced()
    this.keep()
  }

  /** Back to the set-up; what was played so far stays in the log. */
  stopPlay(): void {
    this.#putAway()
    this.game = null
    this.played()
  }

  /** Go on with a play that was stopped. */
  async resume(log: PlayLog): Promise<void> {
    this.finished = this.finished.filter((other) => other !== log)
    this.#putAway()
    this.game = null
    this.battle = log.battle
    const { dice, attacker, defender } = this.settings
    const { objective } = this.solver.assumptions
    const kept = { ...playOf(log), seed: log.seed ?? newSeed(), dice }
    this.play = new Play(log.battle, { ...kept, deciders: { attacker, defender, objective } })
    await this.play.begin()
    this.played()
  }

  /** The same table after the attack; with `turn`, after the turn as well. */
  async nextAttack(turn = false): Promise<void> {
    let next = this.play?.isOver ? await this.play.after() : this.battle
    if (turn) next = await endTurn(next)
    this.#changed = 0
    this.change(next)
  }

  pin(): void {
    const { odds } = this.solver
    if (odds) this.pinned = { title: this.title, battle: this.battle, odds }
  }

  /** Store the table on this device; `untouched` if it is only opened. */
  keep({ untouched = false } = {}): void {
    const { id, title, battle, finished } = this
    const kept: Kept = {
      id,
      title,
      battle,
      assumptions: { ...this.solver.assumptions },
      play: this.play?.keep() ?? null,
      game: this.game,
      finished,
      order: this.#order,
      touched: untouched ? 0 : Date.now(),
    }
    const all = [kept, ...keptTables().filter((other) => other.id !== id)]
    const idle = all.filter((one) => !one.touched).slice(0, MOST_UNTOUCHED)
    remember('tables', [...all.filter((one) => one.touched).slice(0, MOST_TABLES), ...idle])
  }

  /** End the play and move its record to the log. */
  #putAway(): void {
    const { record } = this
    if (record && (record.log.moves.length || record.log.result)) {
      this.#responses.set(record.log, record.response)
      this.finished = [...this.finished, record.log].slice(-MOST_FINISHED)
    }
    this.viewed = null
    this.following = null
    this.aimed = null
    this.play?.stop()
    this.play = null
  }
}
