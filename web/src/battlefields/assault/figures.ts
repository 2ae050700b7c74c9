// The cards and the terrain of the game, and those of the battle, which go before them.

import type { Battle, Json, SystemInfo } from '../../lib/types'
import { list, number, table, type Table, text } from '../shared/read'
import type { Obstruction } from '../shared/sight'

export interface Row {
  range: string
  dice: string
}

export interface Card {
  kind: string
  strength: number
  turret: boolean
  /** Defence dice; of vehicles by the area that is struck. */
  defense: Row[]
  infantry: Row[]
  armour: Row[]
  indirect: Row[]
}

export interface Terrain {
  obstruction: Obstruction
  height: number
  /** Defence dice by the kind of unit, such as `infantry` or `infantry.front`. */
  dice: Row[]
}

const UNITS = ['infantry', 'vehicle', 'artillery']

const rows = (value: Json | undefined): Row[] =>
  typeof value === 'string'
    ? [{ range: '', dice: value }]
    : Object.entries(table(value)).map(([range, dice]) => ({ range, dice: text(dice) }))

function cardFrom(raw: Table): Card {
  return {
    kind: text(raw.kind, 'infantry'),
    strength: number(raw.strength, 1),
    turret: raw.turret === true,
    defense: rows(raw.defense),
    infantry: rows(raw.v_infantry),
    armour: rows(raw.v_armour),
    indirect: rows(raw.v_indirect),
  }
}

function terrainFrom(raw: Table): Terrain {
  const obstruction = raw.obstruction === 'hinders' || raw.obstruction === 'blocks' ? raw.obstruction : 'none'
  const dice = Object.entries(raw).flatMap(([name, value]) =>
    UNITS.includes(name.split('.')[0] ?? '')
      ? rows(value).map((row) => ({ range: row.range ? `${name}.${row.range}` : name, dice: row.dice }))
      : [],
  )
  return { obstruction, height: number(raw.height), dice }
}

/** The figures of a kind by name: those of the game, and those of the battle, which go before them. */
function figuresOf(system: SystemInfo, battle: Battle, kind: string): [string, Table][] {
  const all = { ...table(system.figures[kind]), ...table(battle[kind]) }
  return Object.entries(all).map(([name, raw]) => [name, table(raw)])
}

/** All cards by name. */
export function cardsOf(system: SystemInfo, battle: Battle): Map<string, Card> {
  return new Map(figuresOf(system, battle, 'cards').map(([name, raw]) => [name, cardFrom(raw)]))
}

/** All kinds of terrain, under all their names. */
export function terrainOf(system: SystemInfo, battle: Battle): Map<string, Terrain> {
  return new Map(
    figuresOf(system, battle, 'terrain_data').flatMap(([name, raw]) =>
      [name, ...list(raw.also).map((other) => text(other))].map(
        (known) => [known, terrainFrom(raw)] as const,
      ),
    ),
  )
}

/** The names of all command cards. */
export function commandCardsOf(system: SystemInfo, battle: Battle): string[] {
  return figuresOf(system, battle, 'command_card_data').map(([name]) => name)
}

/** A unit's card with what the unit says itself. */
export function profileOf(unit: Table, cards: Map<string, Card>): Card {
  const card = cards.get(text(unit.card)) ?? cardFrom({})
  const own = cardFrom(unit)
  return {
    kind: text(unit.kind, card.kind),
    strength: number(unit.strength, card.strength),
    turret: typeof unit.turret === 'boolean' ? unit.turret : card.turret,
    defense: unit.defense === undefined ? card.defense : own.defense,
    infantry: unit.v_infantry === undefined ? card.infantry : own.infantry,
    armour: unit.v_armour === undefined ? card.armour : own.armour,
    indirect: unit.v_indirect === undefined ? card.indirect : own.indirect,
  }
}

/** Whether a range lies in a band such as `1-3` or `4`. */
export function isInBand(band: string, range: number): boolean {
  const [first = 0, last = first] = band.split(/[-–]/).map(Number)
  return range >= first && range <= last
}

/** The furthest range of some rows. */
export function reach(bands: readonly Row[]): number {
  return Math.max(0, ...bands.map(({ range }) => Number(range.split(/[-–]/).at(-1))).filter(Number.isFinite))
}

/** Dice by their letters as the names of dice, strong to weak. */
export function diceOf(letters: string): string[] {
  const names: Record<string, string> = { R: 'red', Y: 'yellow', G: 'green', B: 'blue' }
  return Object.keys(names).flatMap((letter) =>
    [...letters].filter((one) => one === letter).map(() => names[letter] ?? ''),
  )
}
