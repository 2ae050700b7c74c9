// Lines of sight and arcs of fire on hexes, worked out exactly as the server's `board` does, in whole numbers.

import { HEX_DIRECTIONS, hexDistance, hexStep, offset, type Tile } from './grid'

export type Obstruction = 'none' | 'hinders' | 'blocks'

export interface Ground {
  elevation: number
  obstruction: Obstruction
  height: number
}

export interface Sight {
  hindering: number
  isBlocked: boolean
  /** The hexes that hinder or block it, from the nearer. */
  met: { tile: Tile; obstruction: Obstruction }[]
}

/** The corners that a unit may face, clockwise. */
export const FACINGS = ['north', 'northeast', 'southeast', 'south', 'southwest', 'northwest'] as const
export type Facing = (typeof FACINGS)[number]
export type Area = 'front' | 'flank' | 'rear'

const MOST_HINDERING = 2
const ORDER: readonly Obstruction[] = ['none', 'hinders', 'blocks']
const AROUND: readonly Area[] = ['front', 'flank', 'rear', 'rear', 'flank', 'front']
const NOWHERE: Tile = [0, 0]

const along = (line: Tile, place: Tile) => line[0] * place[0] + 3 * line[1] * place[1]

/** The sides of a through which the line to the centre of b leaves it: one, or two in a corner. */
export function sidesTowards(a: Tile, b: Tile): string[] {
  const line = offset(a, b)
  if (line[0] === 0 && line[1] === 0) return []
  const beside = HEX_DIRECTIONS.map((side) => along(line, offset(a, hexStep(a, side))))
  const nearest = Math.max(...beside)
  return HEX_DIRECTIONS.filter((_, number) => beside[number] === nearest)
}

/** What the line from centre to centre crosses, in order: one hex, or two where it runs along the side between them. */
export function crossedTiles(a: Tile, b: Tile): Tile[][] {
  const line = offset(a, b)
  if (line[0] === 0 && line[1] === 0) return []
  const far = (tile: Tile) => along(line, offset(a, tile))
  const way: Tile[][] = []
  let last: Tile[] = [a]
  for (;;) {
    const beside = new Map(
      last
        .flatMap((tile) => HEX_DIRECTIONS.map((side) => hexStep(tile, side)))
        .map((tile) => [tile.join(), tile]),
    )
    const reached = far(last[0] ?? NOWHERE)
    const ahead = [...beside.values()].filter((tile) => far(tile) > reached && meets(line, offset(a, tile)))
    const next = Math.min(...ahead.map(far))
    last = ahead
      .filter((tile) => far(tile) === next)
      .sort((one, other) => one[0] - other[0] || one[1] - other[1])
    if (last.length === 0 || last.some((tile) => tile[0] === b[0] && tile[1] === b[1])) return way
    way.push(last)
  }
}

function meets(line: Tile, place: Tile): boolean {
  const [halves, rows] = line.map(Math.abs) as [number, number]
  const aside = 3 * Math.abs(line[0] * place[1] - line[1] * place[0])
  const reach = Math.max(2 * halves, halves + 3 * rows)
  return aside < reach || (aside === reach && (halves === 0 || halves === 3 * rows))
}

/** The line of sight between the centres of two hexes; the ends themselves are never in it. */
export function sight(a: Tile, b: Tile, ground: (tile: Tile) => Ground): Sight {
  const met = crossedTiles(a, b).flatMap((tiles) => {
    const all = tiles.map((tile) => ({ tile, obstruction: obstruction(a, b, tile, ground) }))
    const least = all.reduce((best, one) =>
      ORDER.indexOf(one.obstruction) < ORDER.indexOf(best.obstruction) ? one : best,
    )
    return least.obstruction === 'none' ? [] : [least]
  })
  const hindering = met.filter((one) => one.obstruction === 'hinders').length
  const isBlocked = hindering > MOST_HINDERING || met.some((one) => one.obstruction === 'blocks')
  return { hindering, isBlocked, met }
}

function obstruction(a: Tile, b: Tile, between: Tile, ground: (tile: Tile) => Ground): Obstruction {
  const here = ground(between)
  const [fromA, toB] = [hexDistance(a, between), hexDistance(between, b)]
  const line = ground(a).elevation * toB + ground(b).elevation * fromA
  if (here.elevation * (fromA + toB) > line) return 'blocks'
  return (here.elevation + here.height) * (fromA + toB) >= line ? here.obstruction : 'none'
}

/** The areas of a unit behind these sides of its hex. */
export function areas(facing: Facing, sides: readonly string[]): Area[] {
  const rightFront = FACINGS.indexOf(facing)
  const struck = sides.map((side) => AROUND[(HEX_DIRECTIONS.indexOf(side) - rightFront + 6) % 6])
  return (['front', 'flank', 'rear'] as const).filter((area) => struck.includes(area))
}

/** Whether the target is in the arc of 120° through the two front hexes, or on its border. */
export function isInArc(tile: Tile, facing: Facing, target: Tile): boolean {
  return areas(facing, sidesTowards(tile, target)).includes('front')
}

/** The next corner, clockwise or back. */
export function turned(facing: Facing, steps: number): Facing {
  return FACINGS[(FACINGS.indexOf(facing) + steps + 6) % 6] ?? facing
}
