// The numbers of the odds for headlines, charts and tables.

import { percent, formatDecimal, toNumber } from './numbers'
import type { ExactNumber, Measure, Odds } from './types'
import { capital, shortName } from './words'

export type Value = number | string | boolean

/** A measure as a headline. */
interface Headline {
  figure: string
  words: string
  /** The words in two parts: the owner, and what is measured. */
  owner: string
  what: string
  measure: Measure
}

/** One bar of a chart: a value, or a range of values. */
export interface Bin {
  label: string
  from: number
  to: number
}

const UNLIKELY = 0.0005
const NOTHING = 'none'
/** How a measure begins whose values are sides, as in `who holds the Location`. */
const WHO = /^who /
/** Charts with more numbers group neighbours. */
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

/** The chance of a value in this range, both ends included. */
export function chanceBetween(measure: Measure, from: number, to: number): number {
  return sum(
    measure.values
      .filter(([value]) => Number(value) >= from && Number(value) <= to)
      .map(([, p]) => toNumber(p)),
  )
}

/** The chance of at least this value. */
export function atLeast(measure: Measure, value: number): number {
  return Math.min(1, chanceBetween(measure, value, Infinity))
}

/** A measure as a headline: its mean, the chance of yes, or the likeliest name. */
export function headline(measure: Measure): Headline {
  const owner = shortName(capital(measure.owner))
  const said = (figure: string, what: string) => ({
    figure,
    words: owner ? `${owner}: ${what}` : capital(what),
    owner,
    what,
    measure,
  })
  if (isYesNo(measure)) return said(large(chanceOf(measure, true)), measure.what)
  if (isNumeric(measure)) return said(formatDecimal(measure.mean ?? 0), averageOf(measure))
  const [value, p] = likeliest(measure)
  const [name, figure] = [word(value), large(toNumber(p))]
  if (owner) return said(figure, name)
  const what = measure.what.replace(WHO, '')
  const words = what === measure.what ? `${measure.label}: ${name}` : `${name} ${what}`
  return { figure, words, owner: name, what, measure }
}

/** Whether one value is certain. */
export function isCertain(measure: Measure): boolean {
  return measure.values.some(([, p]) => toNumber(p) > 1 - 1e-12)
}

/** The uncertain measures; all of them if all are certain. */
function open(measures: Measure[]): Measure[] {
  const uncertain = measures.filter((measure) => !isCertain(measure))
  return uncertain.length ? uncertain : measures
}

const averageOf = ({ what }: Measure) => `average ${what}`

/** In a turn: how many enemies are destroyed, and what both sides lose in one number. */
const ENEMIES_DESTROYED = 'enemies destroyed'
const NET_LOSSES = 'swing'
/** Every unit of a turn has measures with these names after its own. */
const [LOSES, DESTROYED] = [' loses', ' destroyed']

/** Whether these are the odds of a whole turn. */
export function isOfTurn({ summaries }: Odds): boolean {
  return summaries.some((measure) => measure.name === ENEMIES_DESTROYED)
}

/** What every unit of a turn loses on average, and how likely it is destroyed. */
export function unitLosses({ summaries }: Odds) {
  return summaries.flatMap((measure) => {
    const id = measure.name.endsWith(LOSES) ? measure.name.slice(0, -LOSES.length) : null
    const destroyed = summaries.find((one) => one.name === id + DESTROYED)
    if (id === null || !destroyed || !measure.side) return []
    return [
      {
        unit: capital(measure.owner || id),
        side: measure.side,
        mean: measure.mean ?? 0,
        destroyed: chanceOf(destroyed, true),
      },
    ]
  })
}

/** The few numbers that say most: whether the target is destroyed, and what it and its attacker lose; of a turn, how many
 * are destroyed, and the enemy that falls most often; what is certain only if all is. */
export function headlines(odds: Odds): Measure[] {
  const summaries = open(odds.summaries)
  const yesNo = summaries.find((measure) => isYesNo(measure) && measure.role === 'defender')
  const name = summaries.find((measure) => !isYesNo(measure) && !isNumeric(measure) && !measure.role)
  const first = summaries.find((measure) => measure.name === ENEMIES_DESTROYED) ?? name ?? yesNo
  const lost = losses(odds).filter((measure) => summaries.includes(measure))
  const wanted = [
    ...(first ? [first] : []),
    ...lost,
    ...(isOfTurn(odds) ? likeliestDestroyed(summaries) : []),
  ]
  return withoutDuplicates([...wanted, ...summaries.filter((measure) => !wanted.includes(measure))]).slice(
    0,
    3,
  )
}

/** The measures without duplicates. */
export function withoutDuplicates(measures: Measure[]): Measure[] {
  return measures.filter((measure, place) => place === measures.findIndex((other) => isSame(measure, other)))
}

function likeliestDestroyed(summaries: Measure[]): Measure[] {
  return summaries
    .filter((measure) => measure.role === 'defender' && measure.name.endsWith(DESTROYED))
    .sort((one, other) => chanceOf(other, true) - chanceOf(one, true))
    .slice(0, 1)
}

/** The remaining measures, without certain ones and duplicates. */
export function otherMeasures(odds: Odds, said: readonly Measure[]): Measure[] {
  return odds.summaries.filter(
    (measure) => !isCertain(measure) && !said.some((other) => isSame(measure, other)),
  )
}

/** Whether two measures are equal: a side with one unit has the losses of that unit. */
function isSame(one: Measure, other: Measure): boolean {
  const [what, same] = [one, other].map((measure) => [measure.role, measure.what, measure.values])
  return JSON.stringify(what) === JSON.stringify(same)
}

/** The odds in a sentence: `Blue guards destroyed in 27.0 % of battles; on average 1.29 losses.` Whoever was named is not
 * named again. It begins with what is decided first, if that is known. */
export function sentence(odds: Odds, first: string | null = null): string {
  const shown = headlines(odds)
  const counted = shown.filter(isNumeric)
  const chances = shown.filter((measure) => !isNumeric(measure))
  const kinds = [...new Set(counted.map((measure) => measure.what))]
  const named = chances.at(-1)?.owner
  const means = kinds.map((what) => {
    const own = counted.filter((measure) => measure.what === what)
    const isNamed = own.length === 1 && own[0]?.owner === named
    return own
      .map((measure, place) => {
        const owner = shortName(measure.owner)
        const { figure } = headline(measure)
        const count = place === 0 ? `${figure} ${what}` : figure
        return owner && !isNamed ? `${count} for ${owner}` : count
      })
      .join(', ')
  })
  const average = means.length ? [`on average ${means.join('; ')}`] : []
  const parts = [...chances.map(formatChance), ...average].join('; ')
  const words = first ? `${capital(first)}: ${parts}` : capital(parts)
  return parts ? `${words}.` : ''
}

function formatChance(measure: Measure, place: number, chances: Measure[]): string {
  const { what } = measure
  const owner = shortName(measure.owner)
  const { figure } = headline(measure)
  const isNamed = chances[place - 1]?.owner === measure.owner
  const name = isNamed || !owner ? '' : `${owner} `
  const often = place === 0 ? `${figure} of battles` : figure
  if (isYesNo(measure)) return `${name}${what} in ${often}`
  const value = word(likeliest(measure)[0])
  if (owner) return `${name}${value} in ${often}`
  return WHO.test(what) ? `${value} ${what.replace(WHO, '')} in ${often}` : `${what}: ${value} in ${often}`
}

/** A chance in large type: what is certain or impossible has no decimals. */
function large(p: number): string {
  return percent(p, 1).replace(/^(0|100)\.0\b/, '$1')
}

/** Measures in a line: `Blue guards: average losses 1.29, destroyed 27.0 % · Red guns: average losses 0.40`. */
export function formatMeasures(measures: Measure[]): string {
  const shown = open(measures).map(headline)
  return shown
    .map(({ words, what, figure, owner }, place) =>
      owner && owner === shown[place - 1]?.owner
        ? `, ${what} ${figure}`
        : `${place ? ' · ' : ''}${words} ${figure}`,
    )
    .join('')
}

/** The likeliest name; `none` only if there is no other. */
function likeliest(measure: Measure): [Value, ExactNumber] {
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
 * is certain to lose so much is left out where the other is not. A turn that counts no side as a whole has net losses. */
export function losses(odds: Odds): Measure[] {
  const counted = odds.summaries.filter(isNumeric)
  const net = counted.find((measure) => measure.name === NET_LOSSES)
  if (net && isOfTurn(odds) && !counted.some((measure) => measure.role && measure.side === null)) return [net]
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
