// The board of a tower battle: who has moved, and where a push would lead.

import type { Battle } from '../../lib/types'
import { type Grid, hexes, squares, type Tile } from '../shared/grid'
import { isSame, table, text, tile } from '../shared/read'
import { sidesTowards } from '../shared/sight'
import type { Unit } from '../shared/units'

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

/** Who has moved, from where to where. */
export function moves(units: readonly Unit[]): Step[] {
  return units.flatMap(({ at, now }) => {
    const to = tile(now.at)
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
