// Cards and terrain of the game as the server lists its figures, and those of the battle that go before them.

import type { Battle, Json, SystemInfo } from '../../lib/types'
import { number, table, type Table, text } from '../shared/read'
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

const KEYS = [
  'kind',
  'points',
  'move',
  'strength',
  'half',
  'defense',
  'v_infantry',
  'v_armour',
  'v_indirect',
  'turret',
  'armoured',
  'abilities',
  'obstruction',
  'height',
  'open',
  'impassable',
]
const UNITS = ['infantry', 'vehicle', 'artillery']

/** `kind infantry, v_armour 1 YB, 2 GB` as a table; a name that is no key belongs to the table before it. */
export function readFigure(figure: string): Table {
  const read: Table = {}
  let last = ''
  for (const part of figure.split(', ')) {
    const [name = '', ...rest] = part.split(' ')
    const value = rest.join(' ')
    if (KEYS.includes(name)) {
      last = name
      const [first = '', second] = rest
      read[name] = second === undefined ? plain(value) : { [first]: blank(second) }
    } else if (UNITS.includes(name.split('.')[0] ?? '')) read[name] = blank(value)
    else if (last) read[last] = { ...table(read[last]), [name]: blank(value) }
  }
  return read
}

const blank = (dice: string) => (dice === '–' ? '' : dice)

function plain(value: string): Json {
  if (value === 'yes' || value === 'no') return value === 'yes'
  return /^\d+$/.test(value) ? Number(value) : blank(value)
}

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

/** All cards by name: those of the battle, and the shipped ones. */
export function cardsOf(system: SystemInfo, battle: Battle): Map<string, Card> {
  const shipped = system.sources.flatMap(({ what, figure }): [string, Card][] =>
    what.startsWith('card ') ? [[what.slice(5), cardFrom(readFigure(figure))]] : [],
  )
  const own = Object.entries(table(battle.cards)).map(([name, raw]): [string, Card] => [
    name,
    cardFrom(table(raw)),
  ])
  return new Map([...shipped, ...own])
}

/** All kinds of terrain by name. Single figures that are known from elsewhere are listed apart. */
export function terrainOf(system: SystemInfo, battle: Battle): Map<string, Terrain> {
  const raw = new Map<string, Table>()
  for (const { what, figure } of system.sources) {
    const [, name, single] = /^terrain (.*?)(?:, ([a-z.]+))?$/.exec(what) ?? []
    if (!name) continue
    const read = single ? { [single]: plain(figure) } : readFigure(figure)
    raw.set(name, { ...raw.get(name), ...read })
  }
  for (const [name, own] of Object.entries(table(battle.terrain_data))) raw.set(name, table(own))
  return new Map([...raw].map(([name, read]) => [name, terrainFrom(read)]))
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
