// What is seen of the table, and where that is on the screen.

import type { Point } from '../shared/grid'
import { type Box, CLOSE, fit, measureDistance, plus, zoomIn } from './table'

/** On a screen narrower than this there is room for names, and for little else. */
const NARROW = 560

export class Lens {
  /** How many pixels wide it can be. */
  room = $state(0)
  /** What people chose to see; null: all that stands on the table. */
  chosen = $state.raw<Box | null>(null)
  /** What is seen while something is dragged, so that the table does not move under it. */
  held = $state.raw<Box | null>(null)
  readonly #size: () => Point
  readonly #points: () => Point[]

  readonly width = $derived(this.room || 640)
  readonly isNarrow = $derived(this.width < NARROW)
  readonly height = $derived(this.isNarrow ? this.width * 0.9 : Math.min(this.width * 0.62, 600))
  readonly #ratio = $derived(this.height / this.width)
  readonly whole = $derived.by(() => fit([{ x: 0, y: 0 }, this.#size()], this.#size(), this.#ratio, 0.6))
  readonly #all = $derived.by(() => fit(this.#points(), this.#size(), this.#ratio, this.isNarrow ? 1.5 : 2.5))
  readonly box = $derived(
    this.held ?? this.chosen ?? (this.#all.width > this.whole.width ? this.whole : this.#all),
  )
  /** Pixels for a unit of the ruler. */
  readonly scale = $derived(this.width / this.box.width)
  /** Whether there is room for more words than names. */
  readonly hasWords = $derived(this.scale >= CLOSE && !this.isNarrow)

  /** A table of this size, on which things stand at these points. */
  constructor(size: () => Point, points: () => Point[]) {
    this.#size = size
    this.#points = points
  }

  readonly toScreen = ({ x, y }: Point): Point => ({
    x: (x - this.box.x) * this.scale,
    y: (y - this.box.y) * this.scale,
  })

  readonly fromScreen = ({ x, y }: Point): Point => ({
    x: this.box.x + x / this.scale,
    y: this.box.y + y / this.scale,
  })

  zoom(factor: number): void {
    const { x, y, width, height } = this.box
    this.chosen = zoomIn(this.box, factor, { x: x + width / 2, y: y + height / 2 })
  }

  /** One of two fingers went from one point of the screen to the next, while the other lay still. */
  pinch(other: Point, before: Point, after: Point): void {
    const factor = Math.max(0.2, measureDistance(other, after) / Math.max(measureDistance(other, before), 1))
    const centre = { x: (other.x + before.x) / 2, y: (other.y + before.y) / 2 }
    const by = { x: (before.x - after.x) / 2 / this.scale, y: (before.y - after.y) / 2 / this.scale }
    const next = zoomIn(this.box, factor, this.fromScreen(centre))
    this.chosen = { ...next, ...plus(next, by) }
  }
}
