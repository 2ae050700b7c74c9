// Units on a board, and what people do with them: aim, add, remove, move, rename.

import type { Battle, Json } from '../../lib/types'
import { type Grid, nearestFree, type Tile } from './grid'
import { freshName } from './kinds'
import { at, type Path, put } from './places'
import { list, table, type Table, text, tile } from './read'

export interface Unit {
  place: string
  number: number
  id: string
  side: string
  at: Tile | null
  raw: Table
}

const NAMES = ['by', 'on', 'through', 'joint']

export function unitsOf(battle: Battle): Unit[] {
  return list(battle.units).map((entry, number) => {
    const raw = table(entry)
    const id = text(raw.id, `unit ${number + 1}`)
    return { place: `units[${number}]`, number, id, side: text(raw.side), at: tile(raw.at), raw }
  })
}

export function sidesOf(units: readonly Unit[]): string[] {
  return [...new Set(units.map((unit) => unit.side))]
}

/** The sides to choose from when a unit is added: two at least. */
export function sidesToJoin(units: readonly Unit[]): string[] {
  return [...new Set([...sidesOf(units), 'red', 'blue'])].slice(0, Math.max(2, sidesOf(units).length))
}

/** The battle with another attack, of which some things are known already. */
export function aimed(battle: Battle, by: string, on: string, known: Table = {}): Battle {
  return { ...battle, attack: { ...known, by, on } }
}

/** The battle with a unit more: on the free tile nearest to a place, if it has a tile at all. */
export function added(
  battle: Battle,
  kind: string,
  unit: Table,
  side: string,
  where: { grid: Grid; near: Tile } | null,
): Battle {
  const units = unitsOf(battle)
  const id = freshName(
    kind,
    units.map((other) => other.id),
  )
  const entry = { id, side, ...unit }
  return {
    ...battle,
    units: [...list(battle.units), where ? { ...entry, at: freeTile(units, where) } : entry],
  }
}

function freeTile(units: readonly Unit[], { grid, near }: { grid: Grid; near: Tile }): Json {
  const taken = units.flatMap((other) => (other.at ? [other.at] : []))
  return [...(nearestFree(grid, near, taken) ?? [grid.last[0] + 1, grid.last[1]])]
}

/** The battle without a unit; an attack that names it leaves that name open. */
export function removed(battle: Battle, place: Path): Battle {
  const id = text(table(at(battle, place)).id)
  const without = put(battle, place, undefined)
  return battle.attack === undefined
    ? without
    : { ...without, attack: withNames(battle, (name) => (name === id ? null : name)) }
}

/** The battle with something else at a path; a unit that is renamed keeps its part in the attack. */
export function changed(battle: Battle, path: Path, value: Json | undefined): Battle {
  const next = put(battle, path, value)
  if (path.length !== 3 || path[2] !== 'id' || battle.attack === undefined) return next
  const was = text(at(battle, path) ?? undefined)
  return { ...next, attack: withNames(battle, (name) => (name === was ? text(value) : name)) }
}

function withNames(battle: Battle, rename: (name: string) => string | null): Table {
  const kept = Object.entries(table(battle.attack)).map(([key, value]) => [
    key,
    NAMES.includes(key) && typeof value === 'string' ? rename(value) : value,
  ])
  return Object.fromEntries(kept.filter(([, value]) => value !== null)) as Table
}
