// What people ask about a battle: the numbers for large type, charts and tables.

import { percent, plain, toNumber } from './numbers'
import type { Exact, Measure, Odds } from './types'
import { capital } from './words'

export type Value = number | string | boolean

/** A measure in large type. */
export interface Headline {
  figure: string
  words: string
  /** The words in two parts: whose it is, and what. */
  owner: string
  what: string
  measure: Measure
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
  return toNumber(measure.values.find(([other]) => other === value)?.[1] ?? 0)
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
  const { label } = measure
  const { owner, what } = partsOf(measure)
  if (isYesNo(measure)) return { figure: large(chanceOf(measure, true)), words: label, owner, what, measure }
  if (isNumeric(measure)) {
    const figure = plain(measure.mean ?? 0)
    return { figure, words: averageOf(label), owner, what: `average ${owner ? what : lower(what)}`, measure }
  }
  const [value, p] = likeliest(measure)
  const name = word(value)
  const figure = large(toNumber(p))
  return owner
    ? { figure, words: `${owner}: ${name}`, owner, what: name, measure }
    : { figure, words: `${label}: ${name}`, owner: name, what: label, measure }
}

/** Whether nothing else can come. */
export function isCertain(measure: Measure): boolean {
  return measure.values.some(([, p]) => toNumber(p) > 1 - 1e-12)
}

/** Those that are open; all of them if none is. */
function open(measures: Measure[]): Measure[] {
  const uncertain = measures.filter((measure) => !isCertain(measure))
  return uncertain.length ? uncertain : measures
}

/** `Blue rifles: losses` becomes `Blue rifles: average losses`. */
export function averageOf(label: string): string {
  return label.includes(': ') ? label.replace(': ', ': average ') : `Average ${lower(label)}`
}

const lower = (words: string) => words.charAt(0).toLowerCase() + words.slice(1)

/** In a turn: how many enemies are destroyed. */
const DESTROYED = 'enemies destroyed'
const LOSES = ' loses'

/** Whether these are the odds of a whole turn. */
export function isOfTurn({ summaries }: Odds): boolean {
  return summaries.some((measure) => measure.name === DESTROYED)
}

/** What every unit of a turn loses on average, and how likely it is destroyed. */
export function unitLosses({ summaries }: Odds) {
  return summaries.flatMap((measure) => {
    const id = measure.name.endsWith(LOSES) ? measure.name.slice(0, -LOSES.length) : null
    const destroyed = summaries.find((one) => one.name === `${id} destroyed`)
    if (id === null || !destroyed || !measure.side) return []
    return [
      {
        unit: partsOf(measure).owner || id,
        side: measure.side,
        mean: measure.mean ?? 0,
        destroyed: chanceOf(destroyed, true),
      },
    ]
  })
}

/** The few numbers that say most: whether the target is destroyed, and what it and its attacker lose; what is certain
 * only if all is. */
export function headlines(odds: Odds): Measure[] {
  const summaries = open(odds.summaries)
  const yesNo = summaries.find((measure) => isYesNo(measure) && measure.role === 'defender')
  const name = summaries.find((measure) => !isYesNo(measure) && !isNumeric(measure) && !measure.role)
  const first = summaries.find((measure) => measure.name === DESTROYED) ?? name ?? yesNo
  const wanted = [...(first ? [first] : []), ...losses(odds).filter((measure) => summaries.includes(measure))]
  return [...wanted, ...summaries.filter((measure) => !wanted.includes(measure))]
    .filter((measure, place, all) => place === all.findIndex((other) => isSame(measure, other)))
    .slice(0, 3)
}

/** What is left to say beside those: nothing that is certain, and nothing twice. */
export function others(odds: Odds, said: readonly Measure[]): Measure[] {
  return odds.summaries.filter(
    (measure) => !isCertain(measure) && !said.some((other) => isSame(measure, other)),
  )
}

/** Whether one says what the other says: a side of a single unit loses what that loses. */
function isSame(one: Measure, other: Measure): boolean {
  const [what, same] = [one, other].map((measure) => [measure.role, partsOf(measure).what, measure.values])
  return JSON.stringify(what) === JSON.stringify(same)
}

/** The odds in a sentence: `Blue guards destroyed in 27.0 % of battles; on average 1.29 losses.` Whoever was named is not
 * named again. It begins with what is decided first, if that is known. */
export function sentence(odds: Odds, first: string | null = null): string {
  const shown = headlines(odds)
  const counted = shown.filter(isNumeric)
  const chances = shown.filter((measure) => !isNumeric(measure))
  const kinds = [...new Set(counted.map((measure) => partsOf(measure).what))]
  const named = chances.at(-1) && partsOf(chances.at(-1) as Measure).owner
  const means = kinds.map((what) => {
    const own = counted.filter((measure) => partsOf(measure).what === what)
    const isNamed = own.length === 1 && own[0] && partsOf(own[0]).owner === named
    return own
      .map((measure, place) => {
        const { owner } = partsOf(measure)
        const { figure } = headline(measure)
        const count = place === 0 ? `${figure} ${lower(what)}` : figure
        return owner && !isNamed ? `${count} for ${owner}` : count
      })
      .join(', ')
  })
  const average = means.length ? [`on average ${means.join('; ')}`] : []
  const parts = [...chances.map(chanceInWords), ...average].join('; ')
  const words = first ? `${capital(first)}: ${parts}` : capital(parts)
  return parts ? `${words.replaceAll(' %', '\u00a0%')}.` : ''
}

function chanceInWords(measure: Measure, place: number, chances: Measure[]): string {
  const { owner, what } = partsOf(measure)
  const { figure } = headline(measure)
  const before = chances[place - 1]
  const isNamed = before !== undefined && partsOf(before).owner === owner
  const name = isNamed || !owner ? '' : `${owner} `
  const often = place === 0 ? `${figure} of battles` : figure
  if (isYesNo(measure)) return `${name}${what} in ${often}`
  const value = word(likeliest(measure)[0])
  return `${owner ? `${name}${value}` : `${what}: ${value}`} in ${often}`
}

/** A label such as `Blue guards: losses` in its two parts. */
function partsOf({ label }: Measure): { owner: string; what: string } {
  const [owner = '', what] = label.split(': ')
  return what === undefined ? { owner: '', what: owner } : { owner, what }
}

/** A chance in large type: what is certain or impossible has no decimals. */
function large(p: number): string {
  return percent(p, 1).replace(/^(0|100)\.0 /, '$1 ')
}

/** The same in a line: `Blue guards: average losses 1.29 · Blue guards: destroyed 27.0 %`. */
export function formatMeasures(measures: Measure[]): string {
  return open(measures)
    .map(headline)
    .map(({ words, figure }) => `${words} ${figure}`)
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

/** The numbers that show what both sides lose: of each side all of it, or of its only unit that can lose. A side that
 * is certain to lose so much is left out where the other is not. */
export function losses(odds: Odds): Measure[] {
  const counted = odds.summaries.filter(isNumeric)
  const ofRoles = (['defender', 'attacker'] as const).flatMap((role) => {
    const own = counted.filter((measure) => measure.role === role)
    const ofUnits = own.filter((measure) => measure.side !== null)
    return (ofUnits.length === 1 ? ofUnits[0] : own.find((measure) => measure.side === null)) ?? own[0] ?? []
  })
  return ofRoles.length ? open(ofRoles) : open(counted).slice(0, 1)
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

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
