// The server's questions and answers.

import type { Advice, Aims, Answer, Battle, Fault, Luck, Odds, Played, Policy, SystemInfo } from './types'

/** The server said no, and why. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly faults: Fault[],
    /** All that was answered. */
    readonly body: Record<string, unknown> = {},
  ) {
    super(faults.map((fault) => fault.message).join('\n') || `the server answered ${status}`)
  }

  /** The battle is too large for exact work, or took too long. */
  get isTooLarge(): boolean {
    return typeof this.body.size === 'number' || this.status === 504
  }
}

/** No answer at all. */
export class Unreachable extends Error {
  constructor() {
    super('the server cannot be reached')
  }
}

export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

/** What a file would have to say is nothing to somebody who sets up a table. */
const WORDS_FOR_FILES = /^is missing: expected a (table|list of tables)\b.*$/

/** What went wrong, as faults to show. */
export function faultsOf(error: unknown): Fault[] {
  if (error instanceof Refused && error.faults.length)
    return error.faults.map((fault) => ({
      ...fault,
      message: fault.message.replace(WORDS_FOR_FILES, 'is still to be set'),
    }))
  return [{ place: '', message: error instanceof Error ? error.message : String(error) }]
}

/** Ask the server for something. */
export async function request<T>(path: string, options: RequestInit = {}): Promise<T> {
  let answer: Response
  try {
    answer = await fetch(path, options)
  } catch (error) {
    if (isAborted(error)) throw error
    throw new Unreachable()
  }
  const body: unknown = await answer.json().catch(() => null)
  if (answer.ok && body !== null) return body as T
  const told = (body ?? {}) as Record<string, unknown>
  throw new Refused(answer.status, Array.isArray(told.faults) ? (told.faults as Fault[]) : [], told)
}

export function post<T>(
  path: string,
  body: unknown,
  { signal, key }: { signal?: AbortSignal | undefined; key?: string | undefined } = {},
): Promise<T> {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' }
  if (key) headers.Authorization = `Bearer ${key}`
  return request<T>(path, { method: 'POST', headers, body: JSON.stringify(body), signal: signal ?? null })
}

export const getSystems = () => request<SystemInfo[]>('/api/systems')

export const askOdds = (battle: Battle, aims: Aims, fractions = false, signal?: AbortSignal) =>
  post<Odds>('/api/odds', { battle, ...aims, fractions, measures: true }, { signal })

export const sampleOdds = (battle: Battle, aims: Aims, n: number, signal?: AbortSignal) =>
  post<Odds>('/api/simulate', { battle, ...aims, n, measures: true }, { signal })

export const askAdvice = (battle: Battle, aims: Aims, script: Answer[], signal?: AbortSignal) =>
  post<Advice>('/api/advise', { battle, ...aims, script, measures: true }, { signal })

/** How many battles stand for all where all are too many. */
const SAMPLE = 10_000

/** How lucky each side was; of a battle too large for exact work, as far as a sample tells. */
export async function askLuck(
  battle: Battle,
  script: Answer[],
  aims: Aims,
  signal?: AbortSignal,
): Promise<Luck> {
  const played = { battle, script, ...aims }
  try {
    return await post<Luck>('/api/luck', played, { signal })
  } catch (error) {
    if (!(error instanceof Refused && error.isTooLarge)) throw error
    return await post<Luck>('/api/luck', { ...played, n: SAMPLE }, { signal })
  }
}

/** Who decides for each side: people, or a policy. */
export interface Deciders {
  attacker: 'ask' | Policy
  defender: 'ask' | Policy
  objective: string
}

export const goOnPlaying = (battle: Battle, script: Answer[], deciders: Deciders, signal?: AbortSignal) =>
  post<Played>('/api/play', { battle, script, ...deciders }, { signal })

export const battleAfter = (battle: Battle, script: Answer[]) =>
  post<Battle>('/api/after', { battle, script })

export const endTurn = (battle: Battle) => post<Battle>('/api/end-turn', { battle })

export const toToml = async (battle: Battle) => (await post<{ text: string }>('/api/toml', { battle })).text

export const readText = (text: string) => post<Battle>('/api/read', { text })
