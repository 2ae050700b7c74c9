// An assault as it is drawn: on its map, or without one as a strip of hexes from the firer to its target.

import type { Battle } from '../../lib/types'
import { type Grid, hexDistance, hexes, type Tile } from '../shared/grid'
import { put } from '../shared/places'
import { clean, isSame, list, number, table, type Table, text, tile, without } from '../shared/read'
import { type Facing, FACINGS, type Ground } from '../shared/sight'
import type { Unit } from '../shared/units'
import type { Terrain } from './figures'

export interface Hex {
  place: string
  at: Tile
  terrain: string
  elevation: number
  smoke: boolean
}

const LARGEST = 60
/** The most hexes of a strip: a longer range is written, not drawn. */
const LONGEST = 7
const CLEAR: Ground = { elevation: 0, obstruction: 'none', height: 0 }

export function hasBoard(battle: Battle): boolean {
  return typeof battle.board === 'object' && battle.board !== null
}

export function hexesOf(battle: Battle): Hex[] {
  return list(table(battle.board).hexes).flatMap((entry, place): Hex[] => {
    const raw = table(entry)
    const at = tile(raw.at)
    const terrain = text(raw.terrain, 'clear')
    const elevation = number(raw.elevation)
    return at ? [{ place: `board.hexes[${place}]`, at, terrain, elevation, smoke: raw.smoke === true }] : []
  })
}

/** The range of the attack without a board. */
export function rangeOf(attack: Table): number {
  return Math.max(number(attack.range, 1), 1)
}

/** The board, or the strip that stands for the range. */
export function gridOf(battle: Battle, units: readonly Unit[]): Grid {
  if (!hasBoard(battle)) {
    const attack = table(battle.attack)
    const columns = Math.min(rangeOf(attack) + 1, LONGEST)
    const others = units.filter((unit) => unit.id !== attack.by && unit.id !== attack.on)
    return hexes([columns, 1 + Math.ceil(others.length / columns)])
  }
  const size = tile(table(battle.board).size) ?? [8, 6]
  return hexes([Math.min(Math.max(size[0], 1), LARGEST), Math.min(Math.max(size[1], 1), LARGEST)])
}

/** Where units stand on the strip: firer and target at its ends, units that join the fire beside the firer. */
export function stripTiles(battle: Battle, units: readonly Unit[], grid: Grid): Map<string, Tile> {
  const attack = table(battle.attack)
  const tiles = new Map<string, Tile>()
  const last: Tile = [grid.last[0], 1]
  const free: Tile[] = []
  for (let row = 2; row <= grid.last[1]; row++)
    for (let column = 1; column <= grid.last[0]; column++) free.push([column, row])
  const isEnd = (unit: Unit) => unit.id === attack.by || unit.id === attack.on
  const rest = units
    .filter((unit) => !isEnd(unit))
    .sort((a, b) => Number(b.id === attack.joint) - Number(a.id === attack.joint))
  for (const unit of units) if (isEnd(unit)) tiles.set(unit.place, unit.id === attack.by ? [1, 1] : last)
  for (const unit of rest) {
    const next = free.shift()
    if (next) tiles.set(unit.place, next)
  }
  return tiles
}

/** What a hex is to a line of sight; smoke hinders, a level high. */
export function groundOf(all: readonly Hex[], terrain: Map<string, Terrain>): (at: Tile) => Ground {
  return (at) => {
    const hex = all.find((one) => isSame(one.at, at))
    if (!hex) return CLEAR
    const { obstruction, height } = terrain.get(hex.terrain) ?? { obstruction: 'none' as const, height: 0 }
    if (hex.smoke && obstruction !== 'blocks') {
      return { elevation: hex.elevation, obstruction: 'hinders', height: Math.max(1, height) }
    }
    return { elevation: hex.elevation, obstruction, height }
  }
}

/** The battle with other ground on a hex; ground like any other is not listed. */
export function withGround(battle: Battle, at: Tile, ground: Partial<Omit<Hex, 'place' | 'at'>>): Battle {
  const all = list(table(battle.board).hexes)
  const place = all.findIndex((entry) => isSame(tile(table(entry).at), at))
  const was = table(all[place])
  const { terrain, elevation, smoke } = { ...was, ...ground }
  const next = clean({
    at: [...at],
    terrain: terrain === 'clear' ? undefined : terrain,
    elevation: elevation || undefined,
    smoke: smoke || undefined,
  })
  const isPlain = Object.keys(next).length === 1
  if (place < 0) return isPlain ? battle : put(battle, ['board', 'hexes'], [...all, next])
  return put(battle, ['board', 'hexes', place], isPlain ? undefined : next)
}

/** The battle on a map of its own: the two units as far from each other as they were. */
export function addMap(battle: Battle, units: readonly Unit[]): Battle {
  const attack = table(battle.attack)
  const range = rangeOf(attack)
  const { terrain } = attack
  const rest = without(attack, 'range', 'terrain', 'hindering', 'area', 'in_arc')
  const by: Tile = [2, 3]
  const on: Tile = [2 + range, 3]
  let row = 0
  const placed = units.map((unit) => {
    const at =
      unit.id === attack.by
        ? by
        : unit.id === attack.on
          ? on
          : ([1 + (row % 3), 5 + Math.floor(row++ / 3)] as Tile)
    const facing = unit.id === attack.on ? 'northwest' : 'northeast'
    return { ...unit.raw, at: [...at], facing: text(unit.raw.facing, facing) }
  })
  const hex = typeof terrain === 'string' && terrain !== 'clear' ? [{ at: [...on], terrain }] : []
  const board: Table = { size: [range + 3, Math.max(6, 5 + Math.ceil(units.length / 3))] }
  return { ...battle, units: placed, attack: rest, board: hex.length ? { ...board, hexes: hex } : board }
}

/** The battle without its map: what the map said of range and terrain is kept. */
export function removeMap(battle: Battle, units: readonly Unit[]): Battle {
  const attack = table(battle.attack)
  const [by, on] = [attack.by, attack.on].map((id) => units.find((unit) => unit.id === id)?.at)
  const range = by && on ? hexDistance(by, on) : 3
  const hex = hexesOf(battle).find((one) => isSame(one.at, on))
  const known: Table = { range, ...(hex ? { terrain: hex.terrain } : {}), ...attack }
  const placeless = units.map(({ raw }) => without(raw, 'at'))
  return { ...without(battle, 'board'), system: battle.system, units: placeless, attack: known }
}

/** Without a map: the target's terrain at the end of the strip, and before it what hinders. */
export function stripGround(battle: Battle, grid: Grid, terrain = 'clear'): Omit<Hex, 'place'>[] {
  const [last] = grid.last
  const hindering = Math.min(number(table(battle.attack).hindering), Math.max(0, last - 2))
  const plain = { elevation: 0, smoke: false }
  const between = Array.from({ length: hindering }, (_, place) => ({
    at: [last - 1 - place, 1] as Tile,
    terrain: 'brush',
    ...plain,
  }))
  return [...between, { at: [last, 1] as Tile, terrain, ...plain }]
}

/** The wedge of 120° through the two front hexes, around the middle of a hex. */
export function arcOf(facing: Facing): string {
  const middle = FACINGS.indexOf(facing) * 60 - 90
  const corner = (angle: number) => {
    const turn = (angle * Math.PI) / 180
    return `${(140 * Math.cos(turn)).toFixed(1)} ${(140 * Math.sin(turn)).toFixed(1)}`
  }
  return `M0 0L${corner(middle - 60)}A140 140 0 0 1 ${corner(middle + 60)}Z`
}
