// Where a small window opens beside something on the map: so that it covers as little as possible.

export interface Box {
  left: number
  top: number
  width: number
  height: number
}

const GAP = 8

const overlaps = (a: Box, b: Box) =>
  a.left < b.left + b.width &&
  b.left < a.left + a.width &&
  a.top < b.top + b.height &&
  b.top < a.top + a.height

/** A place for a window of this size inside of a room: right of, left of, below or above what it belongs to. */
export function placeBeside(
  of: Box,
  size: { width: number; height: number },
  room: Box,
  others: readonly Box[],
): Box {
  const middle = of.left + of.width / 2 - size.width / 2
  const candidates = [
    { left: of.left + of.width + GAP, top: of.top },
    { left: of.left - size.width - GAP, top: of.top },
    { left: middle, top: of.top + of.height + GAP },
    { left: middle, top: of.top - size.height - GAP },
  ].map(({ left, top }) => ({
    left: Math.max(room.left, Math.min(left, room.left + room.width - size.width)),
    top: Math.max(room.top, top),
    ...size,
  }))
  const covered = (box: Box) =>
    others.filter((other) => overlaps(box, other)).length + (overlaps(box, of) ? others.length + 1 : 0)
  return candidates.reduce((best, box) => (covered(box) < covered(best) ? box : best))
}
