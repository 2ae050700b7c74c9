// A battle by numbers and the same battle on a table: from one to the other and back, without losing what was entered.

import type { Battle, Json } from '../../lib/types'
import type { Point } from '../shared/grid'
import { pathOf, put } from '../shared/places'
import { clean, list, number, table, type Table, text, without } from '../shared/read'
import { aimOf, asWritten, coversOf, framesOf, sortCovers, terrainOf } from './frames'
import { type Geometry, placePiece, piecesOffTable, wall } from './table'

/** What a battle by numbers cannot say, and which numbers took its place. */
export interface Kept {
  table: Json | undefined
  stations: Json | undefined
  /** By list and id. */
  places: Record<string, Table>
  /** The attack and the scores as they were, and as they were written instead. */
  before: Record<string, Json | undefined>
  instead: Record<string, Json | undefined>
}

const ON_TABLE: Record<string, readonly string[]> = {
  frames: ['at', 'radius'],
  terrain: ['outline', 'height'],
}
/** What an attack may leave to the ruler. */
const MEASURED = ['range', 'cover', 'near_station', 'covering_near_station']
/** Where a target and its covers are put, and its attacker at each range. */
const TARGET: Point = { x: 18, y: 18 }
const COVERS = { frame: 0.7, terrain: 1.1 }
const AWAY: Record<string, number> = { hand: 1, direct: 6, artillery: 12 }

/** The battle without its table: what was measured stands in the file as numbers. */
export function toNumbers(battle: Battle, geometry: Geometry | null): { battle: Battle; kept: Kept } {
  const key = aimOf(battle)
  const aim = table(battle[key])
  const numbers = clean({ ...(geometry ? asNumbers(battle, geometry) : {}), ...aim })
  const scores = withStations(battle)
  const next: Battle = without(battle, 'table', 'stations') as Battle
  if (battle.turn === undefined) next[key] = numbers
  for (const [name, keys] of Object.entries(ON_TABLE)) {
    if (next[name] !== undefined) next[name] = list(next[name]).map((entry) => without(table(entry), ...keys))
  }
  if (scores) next.scores = scores
  return {
    battle: next,
    kept: {
      table: battle.table,
      stations: battle.stations,
      places: placesOf(battle),
      before: { aim, scores: battle.scores },
      instead: { aim: numbers, scores },
    },
  }
}

function asNumbers(battle: Battle, { on, range, covers, stations }: Geometry): Table {
  const both = sortCovers(battle, covers)
  const isTerrain = (id: string) => terrainOf(battle).some((piece) => piece.id === id)
  const near = (id: string | undefined) => stations[id ?? '']?.length || undefined
  return clean({
    range,
    cover: asWritten(both),
    near_station: near(on),
    covering_near_station: near(both.find((id) => !isTerrain(id))),
  })
}

/** The scores with the stations that everybody holds; undefined if there are none to count. */
function withStations(battle: Battle): Json | undefined {
  if (battle.scores === undefined || battle.stations === undefined) return undefined
  const held = (player: string) =>
    list(battle.stations).filter((entry) => table(entry).holder === player).length
  return Object.fromEntries(
    Object.entries(table(battle.scores)).map(([player, entry]) => {
      const assets = table(entry)
      return [player, { ...assets, stations: number(assets.stations, held(player)) }]
    }),
  )
}

function placesOf(battle: Battle): Record<string, Table> {
  return Object.fromEntries(
    Object.entries(ON_TABLE).flatMap(([name, keys]) =>
      list(battle[name]).map((entry) => {
        const raw = table(entry)
        const kept = Object.entries(raw).filter(([key]) => keys.includes(key))
        return [`${name} ${text(raw.id)}`, Object.fromEntries(kept)]
      }),
    ),
  )
}

/** The battle on a table: on the one that it came from, or else so that range and cover are as the numbers say. */
export function toTable(battle: Battle, kept: Kept | null): Battle {
  const next = kept ? restore(battle, kept) : layOut(battle)
  return piecesOffTable(next).reduce(placePiece, next)
}

function restore(battle: Battle, { table: ground, stations, places, before, instead }: Kept): Battle {
  const key = aimOf(battle)
  const next: Battle = { ...battle, table: ground, ...(stations === undefined ? {} : { stations }) }
  for (const name of Object.keys(ON_TABLE)) {
    if (battle[name] !== undefined)
      next[name] = list(battle[name]).map((entry) => ({
        ...table(entry),
        ...places[`${name} ${text(table(entry).id)}`],
      }))
  }
  // Values that were not changed by hand are measured again.
  const [was, wrote, aim] = [table(before.aim), table(instead.aim), table(battle[key])]
  const same = MEASURED.filter((name) => JSON.stringify(aim[name]) === JSON.stringify(wrote[name]))
  if (battle.turn === undefined)
    next[key] = clean({ ...aim, ...Object.fromEntries(same.map((name) => [name, was[name]])) })
  if (instead.scores && JSON.stringify(battle.scores) === JSON.stringify(instead.scores))
    next.scores = before.scores
  return next
}

function layOut(battle: Battle): Battle {
  const key = aimOf(battle)
  const aim = table(battle[key])
  const pieces = [...framesOf(battle), ...terrainOf(battle)]
  const covers = coversOf(aim)
  const attacker = pieces.find((piece) => piece.id === aim.by)
  const east = (by: number): Point => ({ ...TARGET, x: TARGET.x + by })
  let next: Battle = { ...battle, table: { size: [48, 36] } }
  for (const { id, place } of pieces) {
    const isFrame = place.startsWith('frames')
    const at =
      id === aim.on
        ? TARGET
        : id === aim.by
          ? east(AWAY[text(aim.range)] ?? 6)
          : covers.includes(id)
            ? east(isFrame ? COVERS.frame : COVERS.terrain)
            : null
    if (at)
      next = put(next, [...pathOf(place), isFrame ? 'at' : 'outline'], isFrame ? [at.x, at.y] : wall(at))
  }
  // Without an attacker on the table nothing can be measured.
  return attacker ? put(next, [key], without(aim, 'range', 'cover')) : next
}
