// Requests to the engine and the server.

import { engine } from './engine/engine.svelte'
import { RefusedError } from './engine/errors'
import { send } from './engine/http'
import type {
  Advice,
  Answer,
  Assumptions,
  AttackValue,
  Battle,
  Fault,
  Luck,
  NextTurn,
  Odds,
  PlayResponse,
  Policy,
  RuleEffects,
  TurnPlan,
} from './types'

export { RefusedError, Unreachable, isAborted } from './engine/errors'
export { refusal, request } from './engine/http'

/** The message for each missing field. */
const MISSING: Record<string, string> = {
  'attack.on': 'Choose a target',
  'attack.by': 'Choose an attacker',
  'activation.on': 'Choose a target',
  'activation.by': 'Choose an attacker',
  attack: 'Choose an attacker and a target',
  units: 'Add two units',
  frames: 'Add a frame',
  defender: 'Somebody must hold the Location',
  arrivals: 'Somebody must attack',
}

/** An error as faults to show. */
export function faultsOf(error: unknown): Fault[] {
  if (!(error instanceof RefusedError) || !error.faults.length)
    return [{ place: '', message: error instanceof Error ? error.message : String(error) }]
  return error.faults.map((fault) => {
    const words = fault.code === 'missing' ? MISSING[fault.place] : undefined
    return words ? { ...fault, message: words } : fault
  })
}

/** What an incomplete set-up needs next, in a sentence; null if there are other faults. */
export function toDo(faults: readonly Fault[]): string | null {
  const places = faults.map((fault) => fault.place)
  if (places.length === 1 && places[0] === 'turn.side') return 'Add a unit of the side whose turn it is'
  const isMissing = faults.every(
    (fault) => fault.code === 'missing' && fault.message === MISSING[fault.place],
  )
  if (!faults.length || !isMissing) return null
  return places.includes('attack.by') && places.includes('attack.on')
    ? (MISSING.attack ?? null)
    : (faults[0]?.message ?? null)
}

/** Requests that an engine answers, wherever it runs; everything else needs the server. */
const OF_ENGINE = /^\/api\/([a-z-]+)$/

export function post<T>(
  path: string,
  body: unknown,
  options: { signal?: AbortSignal | undefined; key?: string | undefined } = {},
): Promise<T> {
  const task = OF_ENGINE.exec(path)?.[1]
  if (!task || task === 'battles') return send<T>(path, body, options)
  return engine.run<T>(task, body, options.signal)
}

export const getSystems = () => engine.systems()

export const askOdds = (battle: Battle, assumptions: Assumptions, fractions = false, signal?: AbortSignal) =>
  post<Odds>('/api/odds', { battle, ...assumptions, fractions, summaries: true }, { signal })

export const sampleOdds = (battle: Battle, assumptions: Assumptions, n: number, signal?: AbortSignal) =>
  post<Odds>('/api/simulate', { battle, ...assumptions, n, summaries: true }, { signal })

export const askAdvice = (
  battle: Battle,
  assumptions: Assumptions,
  answers: Answer[],
  signal?: AbortSignal,
) => {
  const summaries = battle.turn === undefined // in a turn each option would be a turn of its own to work out
  return post<Advice>('/api/advise', { battle, ...assumptions, answers, summaries }, { signal })
}

/** Each attack that is possible after these answers, evaluated by itself. */
export const askAttacks = async (
  battle: Battle,
  defender: Policy,
  answers: Answer[],
  signal?: AbortSignal,
): Promise<AttackValue[]> =>
  (await post<{ attacks: AttackValue[] }>('/api/attacks', { battle, defender, answers }, { signal })).attacks

/** The plan of a turn, or of what these answers leave of it. */
export const askPlan = (
  battle: Battle,
  { defender, objective }: Assumptions,
  answers: Answer[],
  signal?: AbortSignal,
) => post<TurnPlan>('/api/plan', { battle, defender, objective, answers }, { signal })

/** The turn that follows one that was played to its end. */
export const askNextTurn = (battle: Battle, answers: Answer[]) =>
  post<NextTurn>('/api/next-turn', { battle, answers })

/** One battle with every house rule at each of its values. */
export const askRuleEffects = (battle: Battle, assumptions: Assumptions, signal?: AbortSignal) =>
  post<RuleEffects>('/api/compare', { battles: [battle], ...assumptions }, { signal })

/** The sample size for battles that are too large for exact work. */
const SAMPLE = 10_000

/** How lucky each side was; of a battle too large for exact work, estimated from a sample. */
export async function askLuck(
  battle: Battle,
  answers: Answer[],
  assumptions: Assumptions,
  signal?: AbortSignal,
): Promise<Luck> {
  const played = { battle, answers, ...assumptions }
  try {
    return await post<Luck>('/api/luck', played, { signal })
  } catch (error) {
    if (!(error instanceof RefusedError && error.isTooLarge)) throw error
    return await post<Luck>('/api/luck', { ...played, n: SAMPLE }, { signal })
  }
}

/** Who decides for each role: people, or a policy. */
export interface Deciders {
  attacker: 'ask' | Policy
  defender: 'ask' | Policy
  objective: string
}

const PEOPLE: Deciders = { attacker: 'ask', defender: 'ask', objective: 'swing' }

/** The position after these answers. */
export const askPlay = (
  battle: Battle,
  answers: Answer[],
  deciders: Deciders = PEOPLE,
  signal?: AbortSignal,
) => post<PlayResponse>('/api/play', { battle, answers, ...deciders }, { signal })

export const battleAfter = (battle: Battle, answers: Answer[]) =>
  post<Battle>('/api/after', { battle, answers })

export const endTurn = (battle: Battle) => post<Battle>('/api/end-turn', { battle })

export const toToml = async (battle: Battle) => (await post<{ text: string }>('/api/toml', { battle })).text

/** A page of HTML about a battle. */
export const askReport = async (battle: Battle, assumptions: Assumptions) =>
  (await post<{ text: string }>('/api/report', { battle, ...assumptions })).text

export const readText = (text: string) => post<Battle>('/api/read', { text })
