// The measured table: what stands where, how things are moved, and what the engine measured. All lengths are units of
// the ruler. Nothing here says what is in range or in cover: that the engine does.

import type { Battle, Json, State } from '../../lib/types'
import type { Point } from '../shared/grid'
import { freshName } from '../shared/kinds'
import { pathOf, put } from '../shared/places'
import { list, number, table, text } from '../shared/read'

/** Something that stands on the table. */
export interface Piece {
  kind: 'frame' | 'terrain' | 'station'
  place: string
  id: string
  /** Its centre, or the middle of its outline. */
  at: Point
  /** Of a frame: how far its base reaches. */
  radius: number
  /** Of terrain. */
  corners: Point[]
  /** Of a frame: where it stood before it abandoned its position. */
  from: Point | null
}

/** A piece near the target, and why it covers it or not. */
interface CoverCheck {
  id: string
  covers: boolean
  why: string
}

/** The attack as the engine measured it. */
export interface Geometry {
  by: string
  on: string
  distance: number | null
  range: string
  reach: { hand: number; direct: number }
  tolerance: number
  covers: string[]
  isCoverGiven: boolean
  pieces: CoverCheck[]
  lane: Point[]
  /** Of every frame that may abandon its position: the stations near it. */
  stations: Record<string, string[]>
}

/** A part of the table in ruler units. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** A frame is drawn at least so large on the screen; its base keeps its measure. */
export const LEAST_DRAWN = 12
/** Pixels for a unit from which on the table is seen from near: there is room for words. */
export const CLOSE = 16

const SIZE: Point = { x: 48, y: 36 }
/** Places are written in hundredths of a unit. */
const FINE = 100

export const round = (value: number) => Math.round(value * FINE) / FINE
const length = ({ x, y }: Point) => Math.hypot(x, y)
export const minus = (a: Point, b: Point): Point => ({ x: a.x - b.x, y: a.y - b.y })
export const plus = (a: Point, b: Point): Point => ({ x: a.x + b.x, y: a.y + b.y })
const times = (a: Point, by: number): Point => ({ x: a.x * by, y: a.y * by })
const written = ({ x, y }: Point): Json => [round(x), round(y)]

function point(value: Json | undefined): Point | null {
  const [x, y] = list(value)
  const isPlace = [x, y].every((part) => typeof part === 'number' && Number.isFinite(part))
  return isPlace ? { x: x as number, y: y as number } : null
}

function middle(points: readonly Point[]): Point {
  return times(points.reduce(plus, { x: 0, y: 0 }), 1 / Math.max(points.length, 1))
}

/** `20, 12.5`. */
export const formatPoint = ({ x, y }: Point) => `${round(x)}, ${round(y)}`

/** How large the table is; null if the battle is without one. */
export function sizeOf(battle: Battle): Point | null {
  if (typeof battle.table !== 'object' || battle.table === null) return null
  const size = point(table(battle.table).size)
  return size && size.x > 0 && size.y > 0 ? size : SIZE
}

/** All that has a place: terrain below stations below frames. In a play frames stand where the engine says. */
export function piecesOf(battle: Battle, state: State | null, radius: number): Piece[] {
  const terrain = each(battle.terrain, 'terrain', (raw, piece) => {
    const corners = list(raw.outline).flatMap((corner) => point(corner) ?? [])
    return corners.length ? { ...piece, at: middle(corners), corners } : null
  })
  const stations = each(battle.stations, 'stations', (raw, piece) => {
    const place = point(raw.at)
    return place && { ...piece, kind: 'station', at: place }
  })
  const frames = each(battle.frames, 'frames', (raw, piece) => {
    const place = point(raw.at)
    const now = point(table(table(state?.frames)[piece.id]).at) ?? place
    const reach = Math.max(0, number(raw.radius, radius))
    const from = place && now && length(minus(place, now)) > 0 ? place : null
    return now && { ...piece, kind: 'frame', at: now, radius: reach, from }
  })
  return [...terrain, ...stations, ...frames]
}

function each(
  entries: Json | undefined,
  key: string,
  read: (raw: { [key: string]: Json | undefined }, piece: Piece) => Piece | null,
): Piece[] {
  return list(entries).flatMap((entry, number) => {
    const raw = table(entry)
    const id = text(raw.id, `${key} ${number + 1}`)
    const origin = { x: 0, y: 0 }
    const plain: Piece = {
      kind: 'terrain',
      place: `${key}[${number}]`,
      id,
      at: origin,
      radius: 0,
      corners: [],
      from: null,
    }
    return read(raw, plain) ?? []
  })
}

/** What the engine measured; null if it did not. */
export function geometryOf(state: State | null | undefined): Geometry | null {
  const raw = table(state?.geometry)
  const reach = table(raw.reach)
  if (typeof raw.on !== 'string') return null
  return {
    by: text(raw.by),
    on: raw.on,
    distance: typeof raw.distance === 'number' ? raw.distance : null,
    range: text(raw.range),
    reach: { hand: number(reach.hand), direct: number(reach.direct) },
    tolerance: number(raw.tolerance),
    covers: list(raw.covers).map((cover) => text(cover)),
    isCoverGiven: raw.is_cover_given === true,
    pieces: list(raw.pieces).map((entry) => {
      const piece = table(entry)
      return { id: text(piece.id), covers: piece.covers === true, why: text(piece.why) }
    }),
    lane: list(raw.lane).flatMap((corner) => point(corner) ?? []),
    stations: Object.fromEntries(
      Object.entries(table(raw.stations)).map(([id, near]) => [id, list(near).map((one) => text(one))]),
    ),
  }
}

/** A point kept on the table. */
export function onTable({ x, y }: Point, size: Point): Point {
  return { x: Math.min(Math.max(x, 0), size.x), y: Math.min(Math.max(y, 0), size.y) }
}

/** The battle with a piece moved so far, its middle kept on the table. */
export function movePiece(battle: Battle, piece: Piece, by: Point): Battle {
  const to = onTable(plus(piece.at, by), sizeOf(battle) ?? SIZE)
  if (piece.kind !== 'terrain') return put(battle, [...pathOf(piece.place), 'at'], written(to))
  const step = minus(to, piece.at)
  return reshapePiece(
    battle,
    piece,
    piece.corners.map((corner) => plus(corner, step)),
  )
}

/** The battle with terrain of another outline. */
export function reshapePiece(battle: Battle, piece: Piece, corners: readonly Point[]): Battle {
  return put(battle, [...pathOf(piece.place), 'outline'], corners.map(written))
}

/** The outline turned around its middle. */
export function rotateOutline(piece: Piece, degrees: number): Point[] {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  return piece.corners.map((corner) => {
    const { x, y } = minus(corner, piece.at)
    return plus(piece.at, { x: x * cos - y * sin, y: x * sin + y * cos })
  })
}

/** The distance that a ruler shows: between points, or from a frame's edge. */
export function measureDistance(from: Point, to: Point, radii = 0): number {
  return Math.max(0, length(minus(to, from)) - radii)
}

/** The part of the table that shows all these points, with some room around, in the shape of the screen. */
export function fit(points: readonly Point[], size: Point, ratio: number, room = 2.5): Box {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const [left, right] = points.length ? [Math.min(...xs) - room, Math.max(...xs) + room] : [0, size.x]
  const [top, bottom] = points.length ? [Math.min(...ys) - room, Math.max(...ys) + room] : [0, size.y]
  const width = Math.max(right - left, (bottom - top) / ratio)
  const height = width * ratio
  return { x: (left + right - width) / 2, y: (top + bottom - height) / 2, width, height }
}

export function isIn(box: Box, { x, y }: Point): boolean {
  return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height
}

/** Closer by a factor, around a point that stays where it is. */
export function zoomIn(box: Box, factor: number, around: Point): Box {
  return {
    x: around.x - (around.x - box.x) / factor,
    y: around.y - (around.y - box.y) / factor,
    width: box.width / factor,
    height: box.height / factor,
  }
}

/** A place near the middle of things with nothing else around. */
export function freePlace(pieces: readonly Piece[], size: Point): Point {
  const centre = pieces.length ? middle(pieces.map((piece) => piece.at)) : times(size, 0.5)
  const taken = pieces.flatMap((piece) => [piece.at, ...piece.corners])
  for (let ring = 2; ring < size.x + size.y; ring++) {
    for (let step = 0; step < 12; step++) {
      const angle = (step * Math.PI) / 6 + Math.PI / 2
      const place = plus(centre, { x: ring * Math.cos(angle), y: ring * Math.sin(angle) })
      const isFree = taken.every((other) => length(minus(other, place)) > 2.5)
      if (isFree && isIn({ x: 0, y: 0, width: size.x, height: size.y }, place)) return place
    }
  }
  return onTable(centre, size)
}

/** The corners of a wall around a place. */
export function wall(around: Point): Json {
  const corners: [number, number][] = [
    [-0.2, -1],
    [0.2, -1],
    [0.2, 1],
    [-0.2, 1],
  ]
  return corners.map(([x, y]) => written(plus(around, { x, y })))
}

export function withStation(battle: Battle): Battle {
  const size = sizeOf(battle) ?? SIZE
  const id = freshName(
    'station',
    list(battle.stations).map((entry) => text(table(entry).id)),
  )
  const place = freePlace(piecesOf(battle, null, 0), size)
  return { ...battle, stations: [...list(battle.stations), { id, at: written(place) }] }
}

/** The frame or terrain with a place on the table, if it has none yet. */
export function placePiece(battle: Battle, place: string): Battle {
  const size = sizeOf(battle)
  const pieces = piecesOf(battle, null, 0)
  if (!size || pieces.some((piece) => piece.place === place)) return battle
  const free = freePlace(pieces, size)
  const isFrame = place.startsWith('frames')
  return isFrame
    ? put(battle, [...pathOf(place), 'at'], written(free))
    : put(battle, [...pathOf(place), 'outline'], wall(free))
}

/** Frames and terrain of the file that do not stand on the table. */
export function piecesOffTable(battle: Battle): string[] {
  const pieces = piecesOf(battle, null, 0).map((piece) => piece.place)
  return ['frames', 'terrain'].flatMap((key) =>
    list(battle[key])
      .map((_, number) => `${key}[${number}]`)
      .filter((place) => !pieces.includes(place)),
  )
}
