// A tower battle as it is drawn: the board, where everybody is now, and where a push would lead.

import type { Battle, Event, Result } from '../../lib/types'
import { type Grid, hexes, squares, type Tile } from '../shared/grid'
import { isSame, number, table, text, tile } from '../shared/read'
import { sidesTowards } from '../shared/sight'
import type { Unit } from '../shared/units'

export interface Standing {
  health: number
  /** The tile it is on now; the dead stand on none. */
  at: Tile | null
}

export interface Step {
  from: Tile
  to: Tile
}

const LARGEST = 60

export function gridOf(battle: Battle): Grid {
  const size = tile(table(battle.board).size) ?? [8, 8]
  const last: Tile = [Math.min(Math.max(size[0], 1), LARGEST), Math.min(Math.max(size[1], 1), LARGEST)]
  return table(battle.rules).board === 'hexes' ? hexes(last) : squares([1, 1], last)
}

/** How everybody is as the result says, or as far as the events tell. */
export function standingsNow(
  units: readonly Unit[],
  result: Result | null,
  events: readonly Event[],
): Map<string, Standing> {
  const now = new Map(units.map(({ id, raw, at }) => [id, { health: number(raw.health), at }]))
  for (const [id, told] of Object.entries(table(result?.units))) {
    now.set(id, { health: number(table(told).health), at: tile(table(told).at) })
  }
  if (!result) for (const event of events) if (event.kind === 'change') tell(now, event.what)
  return now
}

function tell(now: Map<string, Standing>, what: string) {
  const [, hurt, health] = /^(.*): Health \d+ → (\d+)$/.exec(what) ?? []
  const [, dead] = /^(.*) dies$/.exec(what) ?? []
  const [, mover, column, row] = /^(.*) moves to \[(\d+), (\d+)\]$/.exec(what) ?? []
  const found = now.get(hurt ?? dead ?? mover ?? '')
  if (!found) return
  if (health) found.health = Number(health)
  if (dead) Object.assign(found, { health: 0, at: null })
  if (column && row) found.at = [Number(column), Number(row)]
}

/** Who has moved, from where to where. */
export function moves(units: readonly Unit[], now: Map<string, Standing>): Step[] {
  return units.flatMap(({ id, at }) => {
    const to = now.get(id)?.at
    return at && to && !isSame(at, to) ? [{ from: at, to }] : []
  })
}

/** The direction of the attacker's movement, where it is said or plain. */
export function directionOf(battle: Battle, by: Unit, on: Unit): string | null {
  const said = text(table(battle.attack).direction)
  if (said) return said
  if (!by.at || !on.at) return null
  if (table(battle.rules).board === 'hexes') {
    const sides = sidesTowards(by.at, on.at)
    return sides.length === 1 ? (sides[0] ?? null) : null
  }
  const [columns, rows] = [on.at[0] - by.at[0], on.at[1] - by.at[1]]
  if (Math.abs(columns) === Math.abs(rows)) return null
  if (Math.abs(columns) > Math.abs(rows)) return columns > 0 ? 'east' : 'west'
  return rows > 0 ? 'south' : 'north'
}

/** The steps of a push: the target's, and those of the friends that it would bump. */
export function pushLine(grid: Grid, units: readonly Unit[], on: Unit, direction: string): Step[] {
  const steps: Step[] = []
  let from = on.at
  while (from && steps.length < units.length) {
    const to = grid.step(from, direction)
    steps.push({ from, to })
    const there = units.find((unit) => isSame(unit.at, to))
    from = there && there.side === on.side && grid.has(to) ? to : null
  }
  return steps
}
