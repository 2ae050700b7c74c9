// The units of a battle at one moment, and the edits: aim, add, remove, move, rename.

import type { Battle, Json, State } from '../../lib/types'
import { around, type Grid, nearestFree, type Tile } from './grid'
import { commonName, freshName } from './kinds'
import { valueAt, type Path, put } from './places'
import { isSame, list, table, type Table, text, tile } from './read'

export interface Unit {
  place: string
  number: number
  id: string
  side: string
  /** Its tile in the file. */
  at: Tile | null
  /** As the file writes it. */
  raw: Table
  /** The same, with everything that has changed up to the moment that is shown. */
  now: Table
}

const NAMES = ['by', 'on', 'through', 'joint']
const MOST_REACH = 20

/** The units of a battle, as the file has them or at a moment of its play. */
export function unitsOf(battle: Battle, state: State | null = null): Unit[] {
  const changed = table(state?.units)
  return list(battle.units).map((entry, number) => {
    const raw = table(entry)
    const id = text(raw.id, `unit ${number + 1}`)
    const now = { ...raw, ...table(changed[id]) }
    return { place: `units[${number}]`, number, id, side: text(raw.side), at: tile(raw.at), raw, now }
  })
}

/** The tile on which a unit is drawn: one that is gone lies where it stood. */
export function tileOf(unit: Unit): Tile | null {
  return tile(unit.now.at) ?? unit.at
}

/** The name of the unit, frame, terrain or army that is missing in the second battle. */
export function removedName(before: Battle, after: Battle): string | null {
  for (const [key, was] of Object.entries(before)) {
    const left = list(after[key]).map(nameOf)
    if (!Array.isArray(was) || was.length <= left.length) continue
    const gone = was.map(nameOf).filter((name) => !left.includes(name))
    return gone.join(', ') || null
  }
  return null
}

const nameOf = (entry: Json): string => text(table(entry).id) || text(table(entry).player)

export function sidesOf(units: readonly Unit[]): string[] {
  return [...new Set(units.map((unit) => unit.side))]
}

/** The sides to choose from when a unit is added: two at least. */
export function sidesToJoin(units: readonly Unit[]): string[] {
  return [...new Set([...sidesOf(units), 'red', 'blue'])].slice(0, Math.max(2, sidesOf(units).length))
}

/** The battle with another attack, of which some things are known already. */
export function withAim(battle: Battle, by: string, on: string, known: Table = {}): Battle {
  return { ...battle, attack: { ...known, by, on } }
}

/** The battle with the only attack that there can be, where none is declared yet and each side has one unit. */
export function aimedAtOnlyEnemy(battle: Battle, known: Table): Battle {
  const [first, second, ...others] = unitsOf(battle)
  const { by, on } = table(battle.attack)
  if (by || on || !first || !second || others.length || first.side === second.side) return battle
  return withAim(battle, first.id, second.id, known)
}

/** The battle with one more unit. */
export function addUnit(battle: Battle, kind: string, unit: Table, side: string): Battle {
  const id = freshName(
    kind,
    unitsOf(battle).map((other) => other.id),
  )
  return { ...battle, units: [...list(battle.units), { id, side, ...unit }] }
}

/** A free tile for a new unit: among friends, where it has an enemy in reach; else near the fighting. */
export function placeFor(
  units: readonly Unit[],
  side: string,
  { grid, near, reach }: { grid: Grid; near: Tile; reach: number },
): Tile {
  const tilesOf = (some: readonly Unit[]) => some.flatMap((unit) => (unit.at ? [unit.at] : []))
  const taken = tilesOf(units)
  const friends = tilesOf(units.filter((unit) => unit.side === side))
  const enemies = tilesOf(units.filter((unit) => unit.side !== side))
  const inReach = enemies.flatMap((enemy) => around(grid, enemy, Math.min(reach, MOST_REACH)))
  const free = inReach.filter((tile) => !taken.some((other) => isSame(other, tile)))
  const away = (tile: Tile) =>
    Math.min(...(friends.length ? friends : [near]).map((other) => grid.distance(tile, other)))
  const best = free.reduce<Tile | null>(
    (nearest, tile) => (nearest && away(nearest) <= away(tile) ? nearest : tile),
    null,
  )
  return best ?? nearestFree(grid, near, taken) ?? [grid.last[0] + 1, grid.last[1]]
}

/** The battle without a unit; an attack that names it leaves that name open. */
export function removed(battle: Battle, place: Path): Battle {
  const id = text(table(valueAt(battle, place)).id)
  const without = put(battle, place, undefined)
  return battle.attack === undefined
    ? without
    : { ...without, attack: withNames(battle, (name) => (name === id ? null : name)) }
}

/** The battle with something else at a path; a unit that is renamed keeps its part in the attack. */
export function setValue(battle: Battle, path: Path, value: Json | undefined): Battle {
  const next = put(battle, path, value)
  if (path.length !== 3) return next
  if (path[2] === 'card') return renamedByCard(battle, next, Number(path[1]), text(value))
  if (path[2] !== 'id' || battle.attack === undefined) return next
  const was = text(valueAt(battle, path) ?? undefined)
  return { ...next, attack: withNames(battle, (name) => (name === was ? text(value) : name)) }
}

/** A unit that is called by its card is called by its new card; one that was named by hand keeps its name. */
function renamedByCard(before: Battle, next: Battle, number: number, card: string): Battle {
  const units = unitsOf(before)
  const unit = units[number]
  const old = commonName(text(unit?.raw.card))
  const isByHand = !unit || !old || !card || !(unit.id === old || unit.id.replace(/ \d+$/, '') === old)
  if (isByHand) return next
  const others = units.filter((other) => other !== unit).map((other) => other.id)
  return setValue(next, ['units', number, 'id'], freshName(commonName(card), others))
}

function withNames(battle: Battle, rename: (name: string) => string | null): Table {
  const kept = Object.entries(table(battle.attack)).map(([key, value]) => [
    key,
    NAMES.includes(key) && typeof value === 'string' ? rename(value) : value,
  ])
  return Object.fromEntries(kept.filter(([, value]) => value !== null)) as Table
}
