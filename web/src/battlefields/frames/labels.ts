// The placement of names on the table without overlaps.

import type { Point } from '../shared/grid'

/** Something that is to be named, in pixels: its middle, and how far it reaches up, down and to both sides. */
export interface Label {
  at: Point
  up: number
  down: number
  side: number
  lines: readonly string[]
}

export const LINE = 14
const LETTER = 7.2
/** Between a name and what it names. */
const GAP = 3
const TRIES = 5

interface Area {
  left: number
  right: number
  top: number
  bottom: number
}

const overlap = (a: Area, b: Area) =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

/** For each how far below its middle its first line stands: near it if there is room; the first are served first. */
export function placeLabels(all: readonly Label[]): number[] {
  const taken: Area[] = []
  return all.map((named) => {
    const tall = named.lines.length * LINE
    const areaAt = (top: number): Area => {
      const half = (Math.max(...named.lines.map((line) => line.length), 0) * LETTER) / 2
      const y = named.at.y + top
      return { left: named.at.x - half, right: named.at.x + half, top: y, bottom: y + tall }
    }
    const tops = Array.from({ length: TRIES }, (_, number) => [
      named.down + GAP + number * LINE,
      -named.up - GAP - tall - number * LINE,
    ]).flat()
    const others = all.filter((other) => other !== named).map(bodyOf)
    const isFree = (areas: Area[]) => (top: number) => !areas.some((area) => overlap(area, areaAt(top)))
    const best = tops.find(isFree([...taken, ...others])) ?? tops.find(isFree(taken)) ?? tops[0] ?? 0
    taken.push(areaAt(best))
    return best + LINE - GAP
  })
}

function bodyOf({ at, up, down, side }: Label): Area {
  return { left: at.x - side, right: at.x + side, top: at.y - up, bottom: at.y + down }
}
