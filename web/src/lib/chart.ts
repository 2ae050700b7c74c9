// Where the bars of a chart are, and its axes.

import { type Bin, bins, chanceBetween } from './measures'
import { toNumber } from './numbers'
import type { Measure } from './types'

interface Bar {
  x: number
  y: number
  width: number
  height: number
  p: number
  /** Which of the measures. */
  series: number
  bin: Bin
  /** Written above it, where there is room. */
  label: string
}

export interface Chart {
  width: number
  height: number
  /** Where the bars begin, and the height on which they stand. */
  left: number
  base: number
  bins: Bin[]
  /** The room of a bin. */
  step: number
  bars: Bar[]
  ticks: { x: number; label: string }[]
  /** The lines of the chances. */
  lines: { y: number; label: string }[]
  /** Where the mean of each measure is; null if it has none. */
  means: (number | null)[]
}

const ABOVE = 18
const BELOW = 24
const LEFT = 38
const ROOM_FOR_A_LABEL = 24
const ROOM_FOR_A_TICK = 26
const WIDEST_BAR = 56
const STEPS = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.25]
const MOST_LINES = 4

export function barChart(measures: Measure[], width: number, height: number): Chart {
  const steps = bins(measures)
  const base = height - BELOW
  const step = (width - LEFT) / Math.max(steps.length, 1)
  const group = Math.min(step * 0.84, WIDEST_BAR * measures.length)
  const bar = group / Math.max(measures.length, 1)
  const chances = measures.map((measure) => steps.map((bin) => chanceBetween(measure, bin.from, bin.to)))
  const most = Math.max(...chances.flat(), 0.01)
  const between = STEPS.find((one) => most / one <= MOST_LINES) ?? 0.25
  const y = (p: number) => base - (p / most) * (base - ABOVE)
  const bars = chances.flatMap((row, series) =>
    row.map((p, place): Bar => {
      const x = LEFT + step * (place + 0.5) - group / 2 + bar * series + 1
      const label = p > 0 && bar >= ROOM_FOR_A_LABEL ? short(p) : ''
      const box = { x, y: y(p), width: Math.max(bar - 2, 1), height: base - y(p) }
      return { ...box, p, series, bin: steps[place] as Bin, label }
    }),
  )
  const longest = Math.max(...steps.map((bin) => bin.label.length), 1)
  const every = Math.ceil((ROOM_FOR_A_TICK + 6 * Math.max(longest - 3, 0)) / step)
  const ticks = steps.map((bin, place) => ({
    x: LEFT + step * (place + 0.5),
    label: place % every === 0 ? bin.label : '',
  }))
  const count = Math.floor(most / between + 1e-9)
  const lines = Array.from({ length: count }, (_, line) => (line + 1) * between).map((p) => ({
    y: y(p),
    label: `${Number((100 * p).toFixed(1))}%`,
  }))
  const means = measures.map(({ mean }) =>
    mean === null ? null : LEFT + step * placeOf(steps, toNumber(mean)),
  )
  return { width, height, left: LEFT, base, bins: steps, step, bars, ticks, lines, means }
}

/** Where a value lies among the bins, counted in bins: that of the first is 0.5. */
function placeOf(steps: Bin[], value: number): number {
  const place = Math.max(
    steps.findLastIndex((bin) => bin.from <= value),
    0,
  )
  const { from, to } = steps[place] as Bin
  if (!Number.isFinite(from) || !Number.isFinite(to)) return place + 0.5
  const size = to - from + 1
  return place + 0.5 + (value - (from + to) / 2) / size
}

/** A chance in three characters: `41%`, `<1%`. */
function short(p: number): string {
  const rounded = Math.round(100 * p)
  if (rounded === 0) return '<1%'
  return rounded === 100 && p < 0.995 ? '>99%' : `${rounded}%`
}
