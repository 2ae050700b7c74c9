// What people ask about a battle: read off the odds for large type, charts and tables.

import { percent, plain, toNumber } from './numbers'
import type { Exact, Measure, Odds, Side } from './types'

export type Value = number | string | boolean

/** A measure in large type. */
export interface Headline {
  figure: string
  words: string
  side: Side | null
}

/** One step of a chart: a value, or several that are not told apart. */
export interface Bin {
  label: string
  from: number
  to: number
}

const UNLIKELY = 0.0005
const NOTHING = 'none'
/** A chart of more numbers puts neighbours together. */
const MOST_BARS = 40

/** Whether these are the chances of numbers, so that there is a mean, and an "at least". */
export function isNumeric(measure: Measure): boolean {
  return measure.values.every(([value]) => typeof value === 'number')
}

/** Whether it is a question of yes or no. */
export function isYesNo(measure: Measure): boolean {
  return measure.values.every(([value]) => typeof value === 'boolean')
}

export function chanceOf(measure: Measure, value: Value): number {
  return toNumber(measure.values.find(([found]) => found === value)?.[1] ?? 0)
}

/** The chance of a value from here to there, both included. */
export function chanceBetween(measure: Measure, from: number, to: number): number {
  return sum(
    measure.values
      .filter(([value]) => Number(value) >= from && Number(value) <= to)
      .map(([, p]) => toNumber(p)),
  )
}

/** The chance of at least so much. */
export function atLeast(measure: Measure, value: number): number {
  return Math.min(1, chanceBetween(measure, value, Infinity))
}

/** What is said of a measure in large type: a mean, the chance of a yes, or the likeliest name. */
export function headline(measure: Measure): Headline {
  const { name, side } = measure
  if (isYesNo(measure)) return { figure: large(chanceOf(measure, true)), words: name, side }
  if (isNumeric(measure)) return { figure: plain(measure.mean ?? 0), words: `${name}, mean`, side }
  const [value, p] = likeliest(measure)
  return { figure: large(toNumber(p)), words: `${name} ${word(value)}`, side }
}

/** A chance in large type: what is certain or impossible has no decimals. */
function large(p: number): string {
  return percent(p, 1).replace(/^(0|100)\.0 /, '$1 ')
}

/** The same within a sentence: `guards loses 1.29`. */
export function inALine(measures: Measure[]): string {
  return measures
    .map((measure) => {
      const { figure, words } = headline(measure)
      return `${isNumeric(measure) ? measure.name : words} ${figure}`
    })
    .join(' · ')
}

/** The likeliest name; that nothing came of it is said only if nothing can. */
function likeliest(measure: Measure): [Value, Exact] {
  const something = measure.values.filter(([value]) => value !== NOTHING)
  return (something.length ? something : measure.values).reduce((best, entry) =>
    toNumber(entry[1]) > toNumber(best[1]) ? entry : best,
  )
}

/** A value in words. */
export function word(value: Value): string {
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
}

/** The numbers that show what both sides lose: of each side the first that is counted. */
export function losses(odds: Odds): Measure[] {
  const counted = odds.measures.filter(isNumeric)
  const ofSides = (['defender', 'attacker'] as const).flatMap(
    (side) => counted.find((measure) => measure.side === side) ?? [],
  )
  return ofSides.length ? ofSides : counted.slice(0, 1)
}

/** The steps of a chart of these numbers; the unlikely ends are put together if there are more than `most`. */
export function bins(measures: Measure[], most = 12): Bin[] {
  const values = measures.flatMap((measure) => measure.values.map(([value]) => Number(value)))
  if (!values.length) return []
  const first = Math.min(...values)
  const last = Math.max(...values)
  let [from, to] = [first, last]
  if (to - from >= most) {
    const matters = (value: number) => measures.some((measure) => chanceOf(measure, value) >= UNLIKELY)
    while (from < to && !matters(from)) from++
    while (to > from && !matters(to)) to--
  }
  const steps: Bin[] = []
  if (first < from) steps.push({ label: `≤ ${from - 1}`, from: -Infinity, to: from - 1 })
  const width = Math.ceil((to - from + 1) / MOST_BARS)
  for (let value = from; value <= to; value += width) {
    const end = Math.min(value + width - 1, to)
    steps.push({ label: end === value ? String(value) : `${value}–${end}`, from: value, to: end })
  }
  if (last > to) steps.push({ label: `≥ ${to + 1}`, from: to + 1, to: Infinity })
  return steps
}

/** The height of a bar: the chance of exactly this step, or of at least its least value. */
export function height(measure: Measure, bin: Bin, counting: 'exactly' | 'at least'): number {
  return counting === 'exactly' ? chanceBetween(measure, bin.from, bin.to) : atLeast(measure, bin.from)
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
