// The placement of a popover on the map.

export interface Box {
  left: number
  top: number
  width: number
  height: number
}

const GAP = 8
/** Pixels between two candidate positions. */
const STEP = 24
/** The cost of covering a target, which is likely to be tapped next; other pieces cost 1. */
const WEIGHT = 100

const overlaps = (a: Box, b: Box) =>
  a.left < b.left + b.width &&
  b.left < a.left + a.width &&
  a.top < b.top + b.height &&
  b.top < a.top + a.height

/** Evenly spaced numbers from one to another, both included. */
const steps = (from: number, to: number) =>
  Array.from({ length: Math.max(0, Math.ceil((to - from) / STEP)) + 1 }, (_, number) =>
    Math.max(from, Math.min(from + number * STEP, to)),
  )

/** The position of a popover of this size: right of, left of, below or above its anchor `of`, else as near to it as
 * possible. It begins within `room` and ends above `floor`. It avoids covering targets and, if possible, other pieces. */
export function placeBeside(
  of: Box,
  size: { width: number; height: number },
  room: Box,
  others: readonly Box[],
  targets: readonly Box[] = [],
  floor = Infinity,
): Box {
  const [right, bottom] = [room.left + room.width - size.width, room.top + room.height - size.height]
  const middle = of.left + of.width / 2 - size.width / 2
  const beside = [
    { left: of.left + of.width + GAP, top: of.top },
    { left: of.left - size.width - GAP, top: of.top },
    { left: middle, top: of.top + of.height + GAP },
    { left: middle, top: of.top - size.height - GAP },
  ]
  const lowest = Math.max(bottom, Math.min(room.top + room.height, floor - size.height))
  const anywhere = steps(room.left, right)
    .flatMap((left) => steps(room.top, lowest).map((top) => ({ left, top })))
    .map((place) => ({ ...place, far: Math.hypot(place.left - middle, place.top - of.top) }))
    .sort((one, other) => one.far - other.far)
  const candidates = [...beside, ...anywhere].map(({ left, top }) => ({
    left: Math.max(room.left, Math.min(left, right)),
    top: Math.max(room.top, Math.min(top, floor - size.height)),
    ...size,
  }))
  const count = (box: Box, some: readonly Box[]) => some.filter((other) => overlaps(box, other)).length
  const covered = (box: Box) => count(box, others) + WEIGHT * count(box, [of, ...targets])
  return candidates.reduce((best, box) => (covered(box) < covered(best) ? box : best))
}
