// Where the bars of a chart are: the same on the page and in pictures of it.

import { type Bin, bins, height } from './measures'
import type { Measure } from './types'

export type Counting = 'exactly' | 'at least'

export interface Bar {
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
  /** The height on which the bars stand. */
  base: number
  bars: Bar[]
  ticks: { x: number; label: string }[]
}

const ABOVE = 20
const BELOW = 24
const ROOM_FOR_A_LABEL = 23
const ROOM_FOR_A_TICK = 26

export function barChart(measures: Measure[], counting: Counting, width: number, total: number): Chart {
  const steps = bins(measures)
  const base = total - BELOW
  const step = width / Math.max(steps.length, 1)
  const group = Math.min(step * 0.84, 44 * measures.length)
  const bar = group / Math.max(measures.length, 1)
  const heights = measures.map((measure) => steps.map((bin) => height(measure, bin, counting)))
  const most = Math.max(...heights.flat(), 0.01)
  const bars = heights.flatMap((row, series) =>
    row.map((p, place): Bar => {
      const tall = (p / most) * (base - ABOVE)
      return {
        x: step * (place + 0.5) - group / 2 + bar * series + 1,
        y: base - tall,
        width: Math.max(bar - 2, 1),
        height: tall,
        p,
        series,
        bin: steps[place] as Bin,
        label: p > 0 && bar >= ROOM_FOR_A_LABEL ? short(p) : '',
      }
    }),
  )
  const longest = Math.max(...steps.map((bin) => bin.label.length), 1)
  const every = Math.ceil((ROOM_FOR_A_TICK + 6 * Math.max(longest - 3, 0)) / step)
  const ticks = steps.map((bin, place) => ({
    x: step * (place + 0.5),
    label: place % every === 0 ? bin.label : '',
  }))
  return { width, height: total, base, bars, ticks }
}

/** A chance in three characters: `41%`, `<1%`. */
function short(p: number): string {
  const rounded = Math.round(100 * p)
  if (rounded === 0) return '<1%'
  return rounded === 100 && p < 0.995 ? '>99%' : `${rounded}%`
}
