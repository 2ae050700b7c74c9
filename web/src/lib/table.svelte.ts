// A battle on this device: its set-up with the way back, its odds, its play, and what was played before.

import { type Deciders, endTurn } from './api'
import { recall, remember } from './memory'
import { type KeptPlay, Play, type PlayLog } from './play.svelte'
import { Reckoning } from './reckoning.svelte'
import type { Aims, Battle, Event, Json, Odds, SystemInfo } from './types'

/** An attack that was played to its end. */
export interface Finished {
  log: PlayLog
  events: Event[]
}

/** A set-up that another one is compared with. */
export interface Pinned {
  title: string
  battle: Battle
  odds: Odds
}

/** A table as this device keeps it. */
export interface Kept {
  id: string
  title: string
  battle: Battle
  aims: Aims
  play: KeptPlay | null
  finished: Finished[]
  /** When something was last done at it; 0 if nothing was. */
  touched: number
}

const MOST_TABLES = 8
/** Tables at which nothing was done, kept for a reload and for the way back. */
const MOST_UNTOUCHED = 3
const MOST_FINISHED = 20
const MOST_UNDO = 200
/** Changes that follow each other so fast are undone together. */
const ONE_TOUCH = 500

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
  finished = $state.raw<Finished[]>([])
  pinned = $state.raw<Pinned | null>(null)
  /** What is to be said of a log that was opened. */
  note = $state('')
  readonly reckoning = new Reckoning()
  #past = $state.raw<Battle[]>([])
  #future = $state.raw<Battle[]>([])
  #changed = 0

  constructor(
    readonly system: SystemInfo,
    battle: Battle,
    title: string,
    kept: Partial<Kept> = {},
  ) {
    this.id = kept.id ?? Math.random().toString(36).slice(2, 10)
    this.battle = battle
    this.title = title
    this.finished = kept.finished ?? []
    if (kept.aims) this.reckoning.aims = { ...kept.aims }
    if (kept.play) {
      this.play = new Play(battle, kept.play)
      void this.play.begin().then(() => this.reckon())
    }
    this.reckon()
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

  get turnedSwitches(): number {
    const rules = (this.battle.rules ?? {}) as { [name: string]: Json | undefined }
    return this.system.switches.filter(({ name, default: usual }) => (rules[name] ?? usual) !== usual).length
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
    if (!before || this.play) return
    this.#past = this.#past.slice(0, -1)
    this.#future = [...this.#future, this.battle]
    this.#set(before)
  }

  redo(): void {
    const next = this.#future.at(-1)
    if (!next || this.play) return
    this.#future = this.#future.slice(0, -1)
    this.#past = [...this.#past, this.battle]
    this.#set(next)
  }

  #set(battle: Battle): void {
    this.#changed = 0
    this.#putAway()
    this.battle = battle
    this.reckon()
    this.keep()
  }

  /** What is due now has changed, or the battle has. */
  reckon(): void {
    this.reckoning.of(this.battle, this.play?.isOver ? [] : (this.play?.script ?? []))
  }

  /** Sit down to play the set-up as it stands. */
  async startPlay(dice: Play['dice'], deciders: Omit<Deciders, 'objective'>, seed: string): Promise<void> {
    this.#putAway()
    const { objective } = this.reckoning.aims
    const play = new Play(this.battle, {
      seed,
      draws: 0,
      steps: [],
      dice,
      deciders: { ...deciders, objective },
    })
    this.play = play
    await play.begin()
    this.played()
  }

  /** An answer was given or taken back. */
  played(): void {
    this.reckon()
    this.keep()
  }

  stopPlay(): void {
    this.#putAway()
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
    const { odds } = this.reckoning
    if (odds) this.pinned = { title: this.title, battle: this.battle, odds }
  }

  /** Keep the table on this device; `untouched` as long as nothing was done at it. */
  keep({ untouched = false } = {}): void {
    const { id, title, battle, finished } = this
    const kept: Kept = {
      id,
      title,
      battle,
      aims: { ...this.reckoning.aims },
      play: this.play?.keep() ?? null,
      finished,
      touched: untouched ? 0 : Date.now(),
    }
    const all = [kept, ...keptTables().filter((other) => other.id !== id)]
    const idle = all.filter((one) => !one.touched).slice(0, MOST_UNTOUCHED)
    remember('tables', [...all.filter((one) => one.touched).slice(0, MOST_TABLES), ...idle])
  }

  /** A play that is over goes to what was played before. */
  #putAway(): void {
    const { play } = this
    if (play?.isOver) {
      const done = { log: play.log(), events: play.told?.events ?? [] }
      this.finished = [...this.finished, done].slice(-MOST_FINISHED)
    }
    this.play = null
  }
}
