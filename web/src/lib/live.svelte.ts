// A live battle: the state as the server tells it, over a stream that comes back by itself.

import { Refused, faultsOf, isAborted, post, request } from './api'
import { recall, remember } from './memory'
import type { Answer, Battle, Event, Fault, Move, Question, Result, Side } from './types'
import type { FairLog, Witnessed } from './verify'

export type Role = Side | 'spectator'

export interface LiveOptions {
  dice: 'fair' | 'table'
  advice: boolean
  names: Record<Side, string>
}

/** A battle as one of its roles sees it. */
export interface LiveState {
  id: string
  role: Role
  /** How many things were done so far. */
  entries: number
  system: string
  battle: Battle
  options: LiveOptions
  /** Of the question that is due. */
  number: number
  question: Question | null
  can_answer: boolean
  can_undo: boolean
  events: Event[]
  moves: Move[]
  result: Result | null
  after: Battle | null
  fair: { commitment: string; numbers: Record<Side, boolean>; secret: string | null } | null
  next: string | null
}

export interface Opened {
  id: string
  links: Record<Role, string>
  keys: Record<Role, string>
  commitment: string | null
}

/** What this device knows of a live battle: at least one key to it. */
export interface KeptLive {
  id: string
  title: string
  key: string
  role: Role
  /** All links, if it was opened here. */
  links?: Record<Role, string>
  witnessed: Witnessed
  /** The next attack, as far as it has been set up here. */
  draft?: Battle | null
  touched: number
}

const MOST_KEPT = 12
const SILENCE = 45_000
const PAUSES = [500, 1_000, 2_000, 5_000, 10_000]

export const keptLives = (): KeptLive[] => recall<KeptLive[]>('lives', [])

export function keepLive(kept: KeptLive): void {
  const others = keptLives().filter((other) => other.id !== kept.id)
  remember('lives', [kept, ...others].slice(0, MOST_KEPT))
}

export function openLive(battle: Battle, options: LiveOptions): Promise<Opened> {
  return post<Opened>('/api/battles', { battle, ...options })
}

/** Where a battle is found on this page. */
export const pathOf = (id: string, key: string): string => `/live/${id}#key=${encodeURIComponent(key)}`

/** What is the newer of two states: an answer may overtake the stream, and the stream an answer. */
export function newer(held: LiveState | null, arrived: LiveState): LiveState {
  return held && held.id === arrived.id && held.entries > arrived.entries ? held : arrived
}

/** The whole events at the start of what has arrived of a stream, and the rest. */
export function splitEvents(text: string): { data: string[]; rest: string } {
  const blocks = text.replaceAll('\r\n', '\n').split('\n\n')
  const rest = blocks.pop() ?? ''
  const data = blocks.map((block) =>
    block
      .split('\n')
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).replace(/^ /, ''))
      .join('\n'),
  )
  return { data: data.filter((event) => event !== ''), rest }
}

export class Live {
  state = $state.raw<LiveState | null>(null)
  connection = $state<'connecting' | 'open' | 'lost'>('connecting')
  /** Why this battle cannot be seen at all. */
  closed = $state<string | null>(null)
  faults = $state.raw<Fault[]>([])
  isBusy = $state(false)
  #isOver = false
  #stream = new AbortController()
  #wake: () => void = () => undefined

  constructor(
    readonly id: string,
    readonly key: string,
  ) {}

  /** Follow the battle until `leave`. */
  async follow(): Promise<void> {
    for (let failures = 0; !this.#isOver && !this.closed; failures++) {
      try {
        await this.#listen(() => (failures = 0))
      } catch (error) {
        if (error instanceof Refused && error.status < 500 && error.status !== 429)
          this.closed = error.message
      }
      if (this.#isOver || this.closed) return
      this.connection = 'lost'
      await this.#pause(PAUSES[Math.min(failures, PAUSES.length - 1)] ?? 0)
    }
  }

  /** Do not wait any longer before trying again: the network is back, or somebody looks. */
  wake(): void {
    this.#wake()
  }

  /** The network has gone: say so at once, rather than when nothing was heard for long. */
  drop(): void {
    this.#stream.abort()
  }

  leave(): void {
    this.#isOver = true
    this.#stream.abort()
    this.#wake()
  }

  answer(answer: Answer | { roll: 'fair' } | { undo: true }): Promise<void> {
    const number = this.state?.number
    return this.#act('answers', { number, ...answer })
  }

  async addNumber(text: string): Promise<void> {
    await this.#act('numbers', { number: text })
    const side = this.state?.role
    if (this.faults.length || !side || side === 'spectator') return
    this.witness({ number: { side, text } })
  }

  /** Open the battle that follows at the same table. */
  async openNext(battle: Battle): Promise<string> {
    const { id } = await post<{ id: string }>(`/api/battles/${this.id}/next`, { battle }, { key: this.key })
    return id
  }

  log(): Promise<FairLog> {
    return request<FairLog>(`/api/battles/${this.id}/log`, { headers: this.#headers })
  }

  get kept(): KeptLive | undefined {
    return keptLives().find((kept) => kept.id === this.id)
  }

  /** Remember what was seen with one's own eyes, for the day of verifying. */
  witness(seen: Witnessed): void {
    const { kept } = this
    if (kept) keepLive({ ...kept, witnessed: { ...kept.witnessed, ...seen } })
  }

  /** The next attack at this table, under the same name; where it is found on this page. */
  goOn(id: string): string {
    const { kept } = this
    const isKnown = keptLives().some((other) => other.id === id)
    if (kept && !isKnown) {
      const { key, title, role } = kept
      keepLive({ id, key, title, role, witnessed: {}, touched: Date.now() })
    }
    return pathOf(id, this.key)
  }

  /** Remember the next attack while it is set up. */
  keepDraft(draft: Battle | null): void {
    const { kept } = this
    if (kept && (kept.draft ?? null) !== draft) keepLive({ ...kept, draft })
  }

  get #headers(): Record<string, string> {
    return { Authorization: `Bearer ${this.key}` }
  }

  async #act(path: string, body: unknown): Promise<void> {
    if (this.isBusy) return
    this.isBusy = true
    this.faults = []
    try {
      this.#take(await post<LiveState>(`/api/battles/${this.id}/${path}`, body, { key: this.key }))
    } catch (error) {
      if (error instanceof Refused && error.body.state) this.#take(error.body.state as LiveState)
      this.faults = faultsOf(error)
    } finally {
      this.isBusy = false
    }
  }

  #take(arrived: LiveState): void {
    this.state = newer(this.state, arrived)
    if (!this.kept) {
      keepLive({
        id: this.id,
        key: this.key,
        title: '',
        role: arrived.role,
        witnessed: {},
        touched: Date.now(),
      })
    }
    if (arrived.fair && !this.kept?.witnessed.commitment)
      this.witness({ commitment: arrived.fair.commitment })
  }

  async #listen(heard: () => void): Promise<void> {
    const stream = new AbortController()
    this.#stream = stream
    const arm = () => setTimeout(() => stream.abort(), SILENCE)
    let timer = arm()
    try {
      const answer = await fetch(`/api/battles/${this.id}/live`, {
        headers: this.#headers,
        signal: stream.signal,
      })
      if (!answer.ok || !answer.body) throw await refusal(answer)
      this.connection = 'open'
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        clearTimeout(timer)
        timer = arm()
        heard()
        const { data, rest } = splitEvents(text + part.value)
        text = rest
        for (const event of data) this.#take(JSON.parse(event) as LiveState)
      }
    } catch (error) {
      if (!isAborted(error)) throw error
    } finally {
      clearTimeout(timer)
    }
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

async function refusal(answer: Response): Promise<Refused> {
  const body = (await answer.json().catch(() => ({}))) as Record<string, unknown>
  return new Refused(answer.status, (body.faults as Fault[] | undefined) ?? [], body)
}
