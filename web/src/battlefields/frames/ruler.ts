// What a ruler is laid between.

import type { Point } from '../shared/grid'
import { measureDistance, onTable, type Piece } from './table'

/** An end of the ruler: a point, or something that stands there. */
export interface RulerEnd {
  at: Point
  piece: Piece | null
}

/** The nearest frame or station that is near enough to a point, or else the point itself. */
export function endOf(pieces: readonly Piece[], point: Point, near: number, size: Point): RulerEnd {
  const away = (piece: Piece) => measureDistance(point, piece.at, piece.radius)
  const nearest = pieces
    .filter((piece) => piece.kind !== 'terrain' && away(piece) < near)
    .reduce<Piece | null>((best, piece) => (best && away(best) <= away(piece) ? best : piece), null)
  return nearest ? { at: nearest.at, piece: nearest } : { at: onTable(point, size), piece: null }
}

/** What it measures: from edge to edge. */
export function distanceIn({ from, to }: { from: RulerEnd; to: RulerEnd }): string {
  const inside = (from.piece?.radius ?? 0) + (to.piece?.radius ?? 0)
  return `${measureDistance(from.at, to.at, inside).toFixed(2)} units`
}
