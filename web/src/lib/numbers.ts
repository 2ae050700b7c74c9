// Numbers as people read them: chances, values, fractions.

import type { ExactNumber } from './types'

const MINUS = '−'
/** The sign of a percentage, which stays on the line of its number. */
export const PERCENT = '\u00a0%'
const SCALE = 10n ** 20n
const LONGEST = 60

/** The number that a number or a fraction such as `7/36` stands for. */
export function toNumber(exact: ExactNumber): number {
  if (typeof exact === 'number') return exact
  const [above = '0', below = '1'] = exact.split('/')
  return Number((BigInt(above) * SCALE) / BigInt(below)) / Number(SCALE)
}

/** `40.15 %`. Only what is certain is 100, only what is impossible 0. */
export function percent(chance: ExactNumber, digits = 2): string {
  const p = toNumber(chance)
  const least = 10 ** -digits
  const shown = (100 * p).toFixed(digits)
  if (Number(shown) === 100 && p < 1 - 1e-12) return `>${(100 - least).toFixed(digits)}${PERCENT}`
  if (Number(shown) === 0 && p > 0) return `<${least.toFixed(digits)}${PERCENT}`
  return `${shown}${PERCENT}`
}

/** `1.08`. */
export function formatDecimal(value: ExactNumber, digits = 2): string {
  const shown = toNumber(value).toFixed(digits)
  return (Number(shown) === 0 ? shown.replace('-', '') : shown).replace('-', MINUS)
}

/** `+0.94`, `−0.5`, `0.00`. */
export function signed(value: ExactNumber, digits = 2): string {
  const shown = formatDecimal(value, digits)
  return toNumber(value) > 0 && Number(shown) !== 0 ? `+${shown}` : shown
}

/** `12,000`. */
export function formatWhole(count: number): string {
  return count.toLocaleString('en')
}

/** `7/36`, with a proper minus, if that is short enough to be read; the file of all numbers has it in full. */
export function fraction(exact: ExactNumber): string {
  const text = String(exact).replace('-', MINUS)
  return text.length <= LONGEST ? text : `a fraction of ${formatWhole(text.length)} characters`
}

/** `1 unit`, `2 units`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatWhole(count)} ${count === 1 ? one : many}`
}
