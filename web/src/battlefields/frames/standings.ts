// Everything on the table with all that is drawn and said of it.

import type { Battle, Fault, State } from '../../lib/types'
import type { Point } from '../shared/grid'
import { valueAt, faultsIn, pathOf } from '../shared/places'
import { table, text } from '../shared/read'
import { aimOf, formatHits, frameNow, framesOf, hitsLeft, terrainOf } from './frames'
import type { Label } from './labels'
import { formatPoint, type Geometry, LEAST_DRAWN, minus, type Piece, piecesOf } from './table'

export interface PlacedPiece extends Piece {
  /** Whose it is, or who holds it. */
  owner: string
  isGone: boolean
  isWrong: boolean
  isAttacker: boolean
  isTarget: boolean
  /** Of terrain: its height in bricks, if the file says so. */
  height: number | null
  /** Whether it covers the target; null if that is not a question. */
  covers: boolean | null
  /** In which direction it looks, in degrees clockwise from east. */
  facing: number
  /** What stands below its name. */
  note: string
  /** All of it, for those who cannot see the table. */
  words: string
}

export function standingsOf(
  battle: Battle,
  state: State | null,
  geometry: Geometry | null,
  faults: readonly Fault[],
  radius: number,
): PlacedPiece[] {
  const aim = table(battle[aimOf(battle)])
  const pieces = piecesOf(battle, state, radius)
  const attacker = pieces.find((piece) => piece.kind === 'frame' && piece.id === aim.by)
  const target = pieces.find((piece) => piece.kind !== 'station' && piece.id === aim.on)
  const [frames, terrain] = [framesOf(battle), terrainOf(battle)]
  return pieces.map((piece) => {
    const raw = table(valueAt(battle, pathOf(piece.place)))
    const frame = frames.find((one) => one.place === piece.place)
    const ground = terrain.find((one) => one.place === piece.place)
    const hits = ground && hitsLeft(ground, state)
    const known = {
      ...piece,
      owner:
        frame?.player ?? text((state ? table(table(state.stations)[piece.id]) : raw).holder ?? undefined),
      isGone: frame ? frameNow(frame, state).white === 0 : hits === 0,
      isWrong: faultsIn(faults, pathOf(piece.place)).length > 0,
      isAttacker: piece === attacker,
      isTarget: piece === target,
      height: typeof raw.height === 'number' ? raw.height : null,
      covers: piece === target ? null : coversOf(piece, geometry),
      facing: towards(piece, piece === target ? attacker : target),
    }
    return { ...known, note: noteOf(known), words: wordsOf(known, hits) }
  })
}

type Known = Omit<PlacedPiece, 'note' | 'words'>

function coversOf({ kind, id }: Piece, geometry: Geometry | null): boolean | null {
  if (!geometry || geometry.range === 'hand' || kind === 'station') return null
  if (geometry.covers.includes(id)) return true
  return geometry.pieces.some((check) => check.id === id) ? false : null
}

function towards(piece: Piece, other: Piece | undefined): number {
  const way = minus(other?.at ?? piece.at, piece.at)
  return (Math.atan2(way.y, way.x) * 180) / Math.PI
}

const formatHeight = (bricks: number | null) =>
  bricks === null ? '' : bricks === 1 ? '1 brick' : `${bricks} bricks`

function noteOf({ kind, owner, isGone, from, height }: Known): string {
  if (kind === 'station') return owner
  if (kind === 'frame') return isGone ? 'destroyed' : from ? 'has moved away' : ''
  return isGone ? 'ruined' : formatHeight(height)
}

function wordsOf(known: Known, hits: number | undefined): string {
  const { id, kind, owner, isGone, from, covers } = known
  const words = [
    kind === 'station' ? (owner ? `station of ${owner}` : 'station') : owner,
    known.height === null ? '' : `${formatHeight(known.height)} high`,
    hits === undefined ? '' : formatHits(hits),
    isGone ? (kind === 'frame' ? 'destroyed' : 'ruined') : `at ${formatPoint(known.at)}`,
    from ? 'has abandoned its position' : '',
    known.isAttacker ? 'attacks' : known.isTarget ? 'is the target' : '',
    covers === null ? '' : covers ? 'covers the target' : 'does not cover the target',
    known.isWrong ? 'has a fault' : '',
  ]
  return [id, ...words.filter(Boolean)].join(', ')
}

/** A piece with its name, in pixels around a point; its note only where there is room. */
export function labelPiece(piece: PlacedPiece, around: Point, scale: number, hasNote: boolean): Label {
  const lines = [piece.id, hasNote ? piece.note : ''].filter(Boolean)
  const drawn = Math.max(piece.radius * scale, LEAST_DRAWN)
  if (piece.kind === 'frame') return { at: around, lines, up: drawn, down: drawn, side: drawn }
  if (piece.kind === 'station') return { at: around, lines, up: 26, down: 6, side: 12 }
  const from = piece.corners.map((corner) => minus(corner, piece.at))
  return {
    at: around,
    lines,
    up: -Math.min(...from.map(({ y }) => y)) * scale,
    down: Math.max(...from.map(({ y }) => y)) * scale + 6,
    side: Math.max(...from.map(({ x }) => x)) * scale,
  }
}
