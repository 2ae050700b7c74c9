// What pointers do on the measured table: one drags a piece, a corner, a line or the view; two zoom.

import type { Battle } from '../../lib/types'
import type { Point } from '../shared/grid'
import type { Lens } from './lens.svelte'
import type { RulerEnd } from './ruler'
import { type Box, measureDistance, minus, movePiece, onTable, type Piece, plus, reshapePiece } from './table'

export type Mode = 'move' | 'attack' | 'measure'

type Moving = {
  does: 'move'
  battle: Battle
  piece: Piece
  corner: number | null
  start: Point
  next: Battle | null
}
type Drawing = { does: 'line'; from: RulerEnd; to: RulerEnd; isFar: boolean }
type Panning = { does: 'pan'; box: Box; start: Point; isFar: boolean }
type Grab = Moving | Drawing | Panning

const FAR_ENOUGH = 5

/** What gestures need to know of the table. */
interface Surroundings {
  lens: Lens
  mode: () => Mode
  battle: () => Battle
  size: () => Point
  readonly: () => boolean
  svg: () => SVGSVGElement | undefined
  /** The end of a line that is drawn to this point. */
  endAt: (point: Point) => RulerEnd
  /** Something is on its way; null: it is put back. */
  drag: (next: Battle | null) => void
}

export class Gestures {
  grab = $state.raw<Grab | null>(null)
  /** Whether the last press became a drag, so that its click means nothing. */
  wasDragged = false
  /** Those that lie on the table, by the numbers that the browser gives them. */
  #fingers: { id: number; at: Point }[] = []
  readonly #table: Surroundings

  constructor(table: Surroundings) {
    this.#table = table
  }

  /** Whether a touch belongs to the table, and does not scroll the page. */
  get isHeld(): boolean {
    return this.grab !== null || this.#fingers.length > 1
  }

  pointOf(event: PointerEvent | MouseEvent): Point {
    return this.#table.lens.fromScreen(this.#onScreen(event))
  }

  begin(event: PointerEvent, piece: Piece | null, corner: number | null = null): void {
    if (event.button !== 0) return
    event.stopPropagation()
    this.wasDragged = false
    this.#fingers = [...this.#without(event.pointerId), { id: event.pointerId, at: this.#onScreen(event) }]
    if (this.#fingers.length > 1) return this.cancel()
    const grab = this.#grabOf(event, piece, corner)
    if (!grab) return
    ;(event.currentTarget as Element).setPointerCapture?.(event.pointerId)
    const { lens } = this.#table
    lens.held = lens.box
    this.grab = grab
  }

  go(event: PointerEvent): void {
    const screen = this.#onScreen(event)
    if (this.#fingers.length > 1) return this.#pinch(event.pointerId, screen)
    const { grab } = this
    if (!grab) return
    const { lens, drag, endAt } = this.#table
    const point = lens.fromScreen(screen)
    if (grab.does === 'pan') {
      const by = { x: (grab.start.x - screen.x) / lens.scale, y: (grab.start.y - screen.y) / lens.scale }
      if (!grab.isFar && !this.#isFar(by)) return
      this.grab = { ...grab, isFar: true }
      lens.held = { ...grab.box, ...plus(grab.box, by) }
    } else if (grab.does === 'line') {
      const isFar = grab.isFar || measureDistance(grab.from.at, point) * lens.scale > FAR_ENOUGH
      this.grab = { ...grab, to: endAt(point), isFar }
    } else {
      const by = minus(point, grab.start)
      if (!grab.next && !this.#isFar(by)) return
      const next = this.#moveBy(grab, by)
      this.grab = { ...grab, next }
      drag(next)
    }
  }

  /** A finger is lifted: what it did, if it did something. */
  drop(event: PointerEvent): Grab | null {
    const { lens } = this.#table
    this.#fingers = this.#without(event.pointerId)
    const done = this.grab
    this.grab = null
    if (done?.does === 'pan' && done.isFar) lens.chosen = lens.held
    lens.held = null
    if (!done) return null
    this.wasDragged = done.does === 'move' ? done.next !== null : done.isFar
    return this.wasDragged ? done : null
  }

  /** The browser takes a finger away. */
  lose(event: PointerEvent): void {
    this.#fingers = this.#without(event.pointerId)
    this.cancel()
  }

  cancel(): void {
    if (this.grab?.does === 'move') this.#table.drag(null)
    this.grab = null
    this.#table.lens.held = null
  }

  #grabOf(event: PointerEvent, piece: Piece | null, corner: number | null): Grab | null {
    const { mode, endAt, battle, lens, readonly } = this.#table
    const start = this.pointOf(event)
    if (mode() === 'measure') return { does: 'line', from: endAt(start), to: endAt(start), isFar: false }
    if (piece && !readonly() && mode() === 'attack')
      return { does: 'line', from: { at: piece.at, piece }, to: { at: start, piece: null }, isFar: false }
    if (piece && !readonly()) return { does: 'move', battle: battle(), piece, corner, start, next: null }
    return event.pointerType === 'touch'
      ? null
      : { does: 'pan', box: lens.box, start: this.#onScreen(event), isFar: false }
  }

  #moveBy({ battle, piece, corner }: Moving, by: Point): Battle {
    if (corner === null) return movePiece(battle, piece, by)
    const size = this.#table.size()
    const corners = piece.corners.map((at, place) => (place === corner ? onTable(plus(at, by), size) : at))
    return reshapePiece(battle, piece, corners)
  }

  #pinch(id: number, point: Point): void {
    const other = this.#without(id)[0]?.at
    const before = this.#fingers.find((finger) => finger.id === id)?.at
    if (!other || !before) return
    this.#fingers = [...this.#without(id), { id, at: point }]
    this.#table.lens.pinch(other, before, point)
  }

  #isFar(by: Point): boolean {
    return Math.hypot(by.x, by.y) * this.#table.lens.scale >= FAR_ENOUGH
  }

  #onScreen(event: PointerEvent | MouseEvent): Point {
    const frame = this.#table.svg()?.getBoundingClientRect()
    return { x: event.clientX - (frame?.left ?? 0), y: event.clientY - (frame?.top ?? 0) }
  }

  #without(id: number) {
    return this.#fingers.filter((finger) => finger.id !== id)
  }
}
