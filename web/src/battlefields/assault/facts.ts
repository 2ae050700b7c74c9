// The facts of an attack as they are drawn: what the file says, or else what the map shows.

import type { Battle } from '../../lib/types'
import { hexDistance, type Tile } from '../shared/grid'
import { isSame, table, text } from '../shared/read'
import { areas, type Facing, FACINGS, isInArc, type Sight, sidesTowards, sight } from '../shared/sight'
import type { Unit } from '../shared/units'
import { groundOf, hasBoard, hexesOf, rangeOf } from './board'
import type { Card, Terrain } from './figures'

interface Facts {
  /** Null if neither file nor map says. */
  range: number | null
  terrain: string
  sight: Sight
  isIndirect: boolean
  /** Where the target is struck; empty if that is open. */
  struck: string
  isOutOfArc: boolean
}

const MOST_HINDERING = 2

export function facingOf(unit: Unit | undefined): Facing | undefined {
  return FACINGS.find((facing) => facing === unit?.raw.facing)
}

/** The way to face so that the nearest of the enemies is in the arc of fire. */
export function facingTo(tile: Tile, enemies: readonly Tile[]): Facing {
  const nearest = enemies.toSorted((one, other) => hexDistance(tile, one) - hexDistance(tile, other))[0]
  return FACINGS.find((facing) => nearest && isInArc(tile, facing, nearest)) ?? 'northeast'
}

export function factsOf(
  battle: Battle,
  by: Unit,
  on: Unit,
  profile: (unit: Unit) => Card,
  terrain: Map<string, Terrain>,
): Facts {
  const attack = table(battle.attack)
  const ends = hasBoard(battle) && by.at && on.at ? ([by.at, on.at] as const) : null
  const there = ends && hexesOf(battle).find((hex) => isSame(hex.at, on.at))?.terrain
  const range = ends ? hexDistance(...ends) : hasBoard(battle) ? null : rangeOf(attack)
  const [from, to] = [facingOf(by), facingOf(on)]
  return {
    range: typeof attack.range === 'number' ? attack.range : range,
    terrain: text(attack.terrain) || there || 'clear',
    sight: sightOf(battle, ends, terrain),
    isIndirect: attack.fire === 'indirect',
    struck: text(attack.area) || (ends && to ? areas(to, sidesTowards(ends[1], ends[0])).join(' or ') : ''),
    isOutOfArc: !!(ends && from && profile(by).kind !== 'infantry' && !isInArc(ends[0], from, ends[1])),
  }
}

function sightOf(
  battle: Battle,
  ends: readonly [NonNullable<Unit['at']>, NonNullable<Unit['at']>] | null,
  terrain: Map<string, Terrain>,
): Sight {
  const said = table(battle.attack).hindering
  if (typeof said === 'number') return { hindering: said, isBlocked: said > MOST_HINDERING, met: [] }
  if (!ends) return { hindering: 0, isBlocked: false, met: [] }
  return sight(...ends, groundOf(hexesOf(battle), terrain))
}

/** How the line is drawn. */
export function lineOf({ isIndirect, sight: line }: Facts): 'call' | 'blocked' | 'hindered' | 'clear' {
  if (isIndirect) return 'call'
  if (line.isBlocked) return 'blocked'
  return line.hindering ? 'hindered' : 'clear'
}

/** The line of sight in words. */
export function formatSight(facts: Facts): string {
  if (facts.isIndirect) return 'indirect fire'
  if (facts.sight.isBlocked) return 'blocked'
  return facts.sight.hindering ? `hindered by ${facts.sight.hindering}` : 'clear'
}

/** All facts in a line: `3 hexes away · line of sight clear · terrain light forest`. */
export function formatFacts(facts: Facts): string {
  const hexes = facts.range === 1 ? '1 hex' : `${facts.range} hexes`
  return [
    facts.range === null ? '' : `${hexes} away`,
    facts.isIndirect ? 'indirect fire' : `line of sight ${formatSight(facts)}`,
    `terrain ${facts.terrain}`,
    facts.struck && `strikes the ${facts.struck}`,
    facts.isOutOfArc && 'out of its arc',
  ]
    .filter(Boolean)
    .join(' · ')
}
