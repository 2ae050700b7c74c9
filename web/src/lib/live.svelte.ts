// A live battle: its state from the server's event stream, which reconnects by itself.

import { RefusedError, faultsOf, isAborted, post, refusal, request } from './api'
import { recall, remember } from './memory'
import type {
  Answer,
  Battle,
  ClaimedSeat,
  Fault,
  LiveChange,
  LiveOptions,
  LiveState,
  NextBattle,
  OpenedBattle,
} from './types'
import type { FairLog, PageRecord } from './verify'
import { sideName } from './words'

/** The seat of those who only watch. */
export const SPECTATOR = 'spectator'

/** What this device stores about a live battle: at least the key of one seat. */
interface KeptLive {
  id: string
  key: string
  /** The replacement key, sent but not confirmed yet. */
  wanted?: string
  /** Whether this device claimed the seat, so that only it has the key. */
  isSeated?: boolean
  /** The side that the seat holds, or `spectator`. */
  side: string
  /** The title, the same for all seats. */
  title: string
  /** All links, if it was opened here. */
  links?: Record<string, string>
  witnessed: PageRecord
  /** The next attack, as far as it has been set up here. */
  draft?: Battle | null
  /** The battle after the last attack at this table, to show what was changed since. */
  left?: Battle | null
  /** The sides in the order in which they got their colours. */
  order?: string[]
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

export function openLive(battle: Battle, options: LiveOptions): Promise<OpenedBattle> {
  return post<OpenedBattle>('/api/battles', { battle, ...options })
}

/** The name of the player of a side, or of the side itself. */
export const playerOf = (options: LiveOptions, side: string): string =>
  options.names?.[side] || sideName(side)

/** The title of a live battle, the same for all seats. */
export function titleOf({ sides, options }: Pick<LiveState, 'sides' | 'options'>): string {
  return Object.keys(sides)
    .map((side) => playerOf(options, side))
    .join(' against ')
}

/** The address of a live battle on this page. */
export const pathOf = (id: string, key: string): string => `/live/${id}#key=${encodeURIComponent(key)}`

/** The newer of the held state and an arriving one: responses and the stream may arrive in any order. */
export function newer(held: LiveState | null, arrived: LiveChange): LiveState {
  if (held && held.id === arrived.id && held.entries > arrived.entries) return held
  const { keep, ...rest } = arrived
  if (!keep || !held) return rest as LiveState
  const events = [...held.events.slice(0, keep.events), ...arrived.events]
  const moves = [...held.moves.slice(0, keep.moves), ...arrived.moves]
  return { ...rest, battle: held.battle, events, moves }
}

/** A random secret key. */
const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

/** Split the received text of an event stream into complete events and the incomplete rest. */
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
  /** Why this battle cannot be opened. */
  closed = $state<string | null>(null)
  faults = $state.raw<Fault[]>([])
  isBusy = $state(false)
  #isOver = false
  #newLinks: Record<string, string> = {}
  #stream = new AbortController()
  #wake: () => void = () => undefined

  constructor(
    readonly id: string,
    readonly key: string,
  ) {}

  /**
   * Claim the seat, which invalidates its link for others. Returns the new address, or null if that has not changed or
   * the view was closed. The new key is stored before it is sent, as the response may be lost.
   */
  async sit(): Promise<string | null> {
    const { kept } = this
    if (kept?.isSeated && kept.key === this.key) return null
    const wanted = kept?.wanted ?? newKey()
    const known: KeptLive = kept ?? {
      id: this.id,
      key: this.key,
      side: '',
      title: '',
      witnessed: {},
      touched: Date.now(),
    }
    keepLive({ ...known, wanted })
    const seated = (key: string, side = known.side, link?: string): KeptLive => ({
      ...known,
      key,
      side,
      isSeated: true,
      ...(link && known.links ? { links: { ...known.links, [side]: link } } : {}),
    })
    try {
      const claimed = await post<ClaimedSeat>(
        `/api/battles/${this.id}/claim`,
        { key: wanted },
        { key: this.key },
      )
      keepLive(seated(claimed.key, claimed.side, claimed.link))
    } catch (error) {
      if (!(error instanceof RefusedError) || error.status === 429 || error.status >= 500) throw error
      keepLive(kept ?? seated(this.key))
      if (error.status !== 404) return null // spectators have no seat
      const other = kept?.isSeated ? kept.key : wanted // the link was used here before
      if (!(await this.#isGood(other))) return null
      keepLive(seated(other))
    }
    if (this.#isOver) return null
    return this.kept && this.kept.key !== this.key ? pathOf(this.id, this.kept.key) : null
  }

  async #isGood(key: string): Promise<boolean> {
    const headers = { Authorization: `Bearer ${key}` }
    const response = await fetch(`/api/battles/${this.id}?since=0`, { headers })
    return response.ok
  }

  /** Follow the battle until `leave`. */
  async follow(): Promise<void> {
    for (let failures = 0; !this.#isOver && !this.closed; failures++) {
      try {
        await this.#listen(() => (failures = 0))
      } catch (error) {
        if (error instanceof RefusedError && error.status < 500 && error.status !== 429)
          this.closed = error.message
      }
      if (this.#isOver || this.closed) return
      this.connection = 'lost'
      await this.#pause(PAUSES[Math.min(failures, PAUSES.length - 1)] ?? 0)
    }
  }

  /** Reconnect now: the network is back, or the page is visible again. */
  wake(): void {
    this.#wake()
  }

  /** Drop the stream at once when the network is gone, instead of waiting for the timeout. */
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
    return this.#act(`answers?since=${this.state?.entries ?? 0}`, { number, ...answer })
  }

  concede(): Promise<void> {
    return this.#act('concede', {})
  }

  /** End the battle because the other player's time is up. */
  flag(): Promise<void> {
    return this.#act('flag', {})
  }

  proposeClock(seconds: number | null): Promise<void> {
    return this.#act('clock', { seconds })
  }

  async addNumber(text: string): Promise<void> {
    await this.#act('numbers', { number: text })
    const side = this.state?.side
    if (this.faults.length || !side || side === SPECTATOR) return
    this.witness({ number: { side, text } })
  }

  /** Open the next battle at the same table; returns its id. Sides that join get links of their own. */
  async openNext(battle: Battle): Promise<string> {
    const { id, links } = await post<NextBattle>(
      `/api/battles/${this.id}/next`,
      { battle },
      { key: this.key },
    )
    this.#newLinks = links
    return id
  }

  log(): Promise<FairLog> {
    return request<FairLog>(`/api/battles/${this.id}/log`, { headers: this.#headers })
  }

  get kept(): KeptLive | undefined {
    return keptLives().find((kept) => kept.id === this.id)
  }

  /** Store what was seen before the roll, to verify the dice later. */
  witness(seen: PageRecord): void {
    const { kept } = this
    if (kept) keepLive({ ...kept, witnessed: { ...kept.witnessed, ...seen } })
  }

  /** The next attack at this table, with the same seat: its address on this page. */
  goOn(id: string): string {
    const { kept } = this
    const isKnown = keptLives().some((other) => other.id === id)
    if (kept && !isKnown) {
      const { key, title, side, order } = kept
      const links = kept.links && nextLinks(id, kept.links, this.#newLinks)
      keepLive({
        id,
        key,
        title,
        side,
        isSeated: kept.isSeated ?? false,
        witnessed: {},
        touched: Date.now(),
        left: (this.state?.after as Battle | null | undefined) ?? null,
        ...(order ? { order } : {}),
        ...(links ? { links } : {}),
      })
    }
    return pathOf(id, this.key)
  }

  /** Remember the order in which sides got their colours. */
  keepOrder(order: string[]): void {
    const { kept } = this
    if (kept && JSON.stringify(kept.order) !== JSON.stringify(order)) keepLive({ ...kept, order })
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
      this.#take(await post<LiveChange>(`/api/battles/${this.id}/${path}`, body, { key: this.key }))
    } catch (error) {
      if (error instanceof RefusedError && error.body.state) this.#take(error.body.state as LiveChange)
      this.faults = faultsOf(error)
    } finally {
      this.isBusy = false
    }
  }

  #take(arrived: LiveChange): void {
    this.state = newer(this.state, arrived)
    const kept = this.kept ?? { id: this.id, key: this.key, witnessed: {}, touched: Date.now() }
    keepLive({ ...kept, side: arrived.side, title: titleOf(arrived) })
    if (arrived.fair && !this.kept?.witnessed.commitment)
      this.witness({ commitment: arrived.fair.commitment })
  }

  async #listen(heard: () => void): Promise<void> {
    const stream = new AbortController()
    this.#stream = stream
    const arm = () => setTimeout(() => stream.abort(), SILENCE)
    let timer = arm()
    try {
      const last = this.state ? { 'Last-Event-ID': String(this.state.entries) } : {}
      const response = await fetch(`/api/battles/${this.id}/live?changes=true`, {
        headers: { ...this.#headers, ...last },
        signal: stream.signal,
      })
      if (!response.ok || !response.body) throw await refusal(response)
      this.connection = 'open'
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
      let text = ''
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        clearTimeout(timer)
        timer = arm()
        heard()
        const { data, rest } = splitEvents(text + part.value)
        text = rest
        for (const event of data) this.#take(JSON.parse(event) as LiveChange)
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

/** The links of the table's seats at its next battle: the keys are the same. */
function nextLinks(
  id: string,
  links: Record<string, string>,
  added: Record<string, string>,
): Record<string, string> {
  const moved = Object.entries(links).map(([side, link]) => [
    side,
    link.replace(/\/live\/[^#]*/, `/live/${id}`),
  ])
  return { ...Object.fromEntries(moved), ...added }
}
