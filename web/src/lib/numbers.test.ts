import { expect, test } from 'vitest'

import { formatCount, fraction, percent, formatDecimal, signed, toNumber, formatWhole } from './numbers'

test('fractions are numbers, however long', () => {
  expect(toNumber('7/36')).toBeCloseTo(7 / 36, 15)
  expect(toNumber('-3/4')).toBe(-0.75)
  expect(toNumber('2')).toBe(2)
  expect(toNumber(`${10n ** 400n}/${3n * 10n ** 400n}`)).toBeCloseTo(1 / 3, 15)
})

test('only what is certain is 100 %, only what is impossible 0 %', () => {
  expect(percent(1)).toBe('100.00\u00a0%')
  expect(percent(0.9999999999999999)).toBe('100.00\u00a0%')
  expect(percent(0.99999)).toBe('>99.99\u00a0%')
  expect(percent(0)).toBe('0.00\u00a0%')
  expect(percent(0.00001)).toBe('<0.01\u00a0%')
  expect(percent(0.4015)).toBe('40.15\u00a0%')
  expect(percent('1/3', 1)).toBe('33.3\u00a0%')
  expect(percent(0.9999, 1)).toBe('>99.9\u00a0%')
})

test('values carry their sign, zero has none', () => {
  expect(signed(0.94)).toBe('+0.94')
  expect(signed(-0.5)).toBe('−0.50')
  expect(signed(0)).toBe('0.00')
  expect(signed(-0.001)).toBe('0.00')
  expect(signed(0.001)).toBe('0.00')
  expect(formatDecimal(-1.234)).toBe('−1.23')
  expect(formatDecimal('7/2', 1)).toBe('3.5')
})

test('counts and fractions as they are read', () => {
  expect(formatWhole(1234567)).toBe('1,234,567')
  expect(formatCount(1, 'die', 'dice')).toBe('1 die')
  expect(formatCount(2, 'attack')).toBe('2 attacks')
  expect(fraction('-7/36')).toBe('−7/36')
  expect(fraction(`1/${'9'.repeat(1000)}`)).toBe('a fraction of 1,002 characters')
})
