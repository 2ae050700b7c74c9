// Whole turns: a battle of one attack as a turn and back, what a turn offers, its plan, and its log attack by attack.

import { toNumber } from './numbers'
import type {
  AttackValue,
  Battle,
  ExactNumber,
  Json,
  PlanStep,
  PlayEvent,
  Question,
  SystemInfo,
} from './types'

type Table = { [key: string]: Json | undefined }

/** The rule that asks for the next attack of a turn, and its last option. */
const RULE = 'turn'
export const END = 'end'

/** An attack of the plan, by its place in it. */
interface PlannedAttack {
  number: number
  by: string
  on: string
}

/** What the map shows of a turn: who can attack whom now, and the plan. */
export interface TurnView {
  side: string
  attacks: readonly AttackValue[]
  plan: readonly PlannedAttack[]
  /** Whether values are shown: not in a fair game. */
  advises: boolean
  /** The attack that is looked at. */
  aimed: AttackValue | null
  aim: (id: string | null) => void
  /** Make an attack at once; null while the turn is not being played yet. */
  declare: ((id: string) => void) | null
}

const tableOf = (value: Json | undefined): Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

const unitsOf = (battle: Battle): Table[] => (Array.isArray(battle.units) ? battle.units.map(tableOf) : [])

export function isTurn(battle: Battle): boolean {
  return typeof battle.turn === 'object' && battle.turn !== null
}

/** Whose turn it is. */
export function sideOf(battle: Battle): string {
  const { side, player } = tableOf(battle.turn)
  return String(side ?? player ?? '')
}

/** Whether a battle can be a whole turn whose attacks follow from where its units stand. */
export function canBeTurn(system: SystemInfo, battle: Battle): boolean {
  const units = unitsOf(battle)
  const hasTurns = system.fields.some((field) => field.name === 'turn')
  return hasTurns && units.length > 0 && units.every((unit) => Array.isArray(unit.at))
}

/** Whether the attacks of a turn follow from its units, and are not listed one by one. */
export function followsFromUnits(battle: Battle): boolean {
  return isTurn(battle) && tableOf(battle.turn).shots === undefined
}

/** The turn of the side that attacks, in the place of its one attack. */
export function asTurn(battle: Battle): Battle {
  const { attack, ...rest } = battle
  const units = unitsOf(battle)
  const by = units.find((unit) => unit.id === tableOf(attack).by) ?? units[0]
  return { ...rest, system: battle.system, turn: { side: by?.side ?? '' } }
}

/** One attack in the place of a turn: one that was known before, if both units are still there. */
export function asAttack(battle: Battle, known: Json | undefined): Battle {
  const rest = { ...battle }
  delete rest.turn
  const ids = unitsOf(battle).map((unit) => unit.id)
  const { by, on } = tableOf(known)
  const isThere = ids.includes(by) && ids.includes(on)
  return { ...rest, attack: isThere ? (known as Table) : {} }
}

/** A new battle of a system: a whole turn if the system has turns. */
export function newBattle(system: SystemInfo): Battle {
  const { example } = system
  return canBeTurn(system, example) ? asTurn(example) : example
}

/** Whether the side whose turn it is chooses its next attack here. */
export function isNextAttack(asked: PlayEvent | Question | null | undefined): boolean {
  return asked?.kind === 'choice' && asked.rule === RULE
}

/** The attacks that were made in a play of a turn, by the places of their events. */
export function attacksIn(events: readonly PlayEvent[]): number[] {
  return events.flatMap((event, place) =>
    event.kind === 'choice' && isNextAttack(event) && event.choose !== END ? [place] : [],
  )
}

/** The line of a plan that is followed if always the likeliest happens. */
export function mainLine(step: PlanStep | null | undefined): PlannedAttack[] {
  const line: PlannedAttack[] = []
  for (let next = step; next; next = next.branches[0]?.next)
    line.push({ number: line.length + 1, by: next.by, on: next.on })
  return line
}

/** Attackers and targets in the order in which they are offered. */
export function matrixOf(attacks: readonly AttackValue[]): { attackers: string[]; targets: string[] } {
  return {
    attackers: [...new Set(attacks.map((attack) => attack.by))],
    targets: [...new Set(attacks.map((attack) => attack.on))],
  }
}

/** The least colour of something good. */
const WARM = 0.2

/** How strongly a value is coloured, from −1 to 1: what is good by its place between the least and the most that is. */
export function heat(value: ExactNumber, all: readonly ExactNumber[]): number {
  const [exact, values] = [toNumber(value), all.map(toNumber)]
  if (exact <= 0) return exact / Math.max(...values.map(Math.abs), 1e-9)
  const good = values.filter((other) => other >= 0)
  const [least, most] = [Math.min(...good), Math.max(...good)]
  return most > least ? WARM + ((1 - WARM) * (exact - least)) / (most - least) : 1
}
