import { describe, expect, test } from 'vitest'

import { barChart } from './chart'
import {
  atLeast,
  bins,
  chanceBetween,
  formatMeasures,
  headline,
  headlines,
  isNumeric,
  isOfTurn,
  losses,
  sentence,
  unitLosses,
} from './measures'
import type { Measure, Odds } from './types'

const measure = (
  name: string,
  values: Measure['values'],
  role: Measure['role'] = null,
  owner = '',
): Measure => {
  const numbers = values.map(([value, p]) => Number(value) * Number(p))
  const side = role && { attacker: 'red', defender: 'blue' }[role]
  const label = owner ? `${owner}: ${name}` : name
  const mean = numbers.reduce((a, b) => a + b, 0)
  return { name: label, label, owner, what: name, side, role, values, mean, sd: 0 }
}

const oddsOf = (...summaries: Measure[]) => ({ summaries }) as unknown as Odds

const lost = measure(
  'losses',
  [
    [0, 0.25],
    [1, 0.5],
    [3, 0.25],
  ],
  'defender',
  'Blue rifles',
)

test('at least sums everything from a value upwards', () => {
  expect(atLeast(lost, 0)).toBe(1)
  expect(atLeast(lost, 1)).toBe(0.75)
  expect(atLeast(lost, 2)).toBe(0.25)
  expect(atLeast(lost, 4)).toBe(0)
})

test('at least falls from one to the chance of the last value, for any spread', () => {
  for (let count = 1; count < 30; count++) {
    const weights = Array.from({ length: count }, (_, value) => 1 + ((value * 7919) % 13))
    const total = weights.reduce((a, b) => a + b, 0)
    const any = measure(
      'any',
      weights.map((weight, value) => [value, weight / total]),
    )
    const sums = weights.map((_, value) => atLeast(any, value))
    expect(sums[0]).toBeCloseTo(1, 12)
    expect(sums.at(-1)).toBeCloseTo((weights.at(-1) ?? 0) / total, 12)
    expect(sums.every((sum, value) => value === 0 || sum < (sums[value - 1] ?? 0))).toBe(true)
  }
})

test('fractions are summed as numbers', () => {
  const exact = measure('exact', [
    [0, '1/3'],
    [1, '2/3'],
  ])
  expect(chanceBetween(exact, 0, 0)).toBeCloseTo(1 / 3, 15)
  expect(atLeast(exact, 0)).toBeCloseTo(1, 15)
})

describe('what is said in large type', () => {
  test('a number by its mean', () => {
    expect(headline(lost)).toEqual({
      figure: '1.25',
      words: 'Blue rifles: average losses',
      owner: 'Blue rifles',
      what: 'average losses',
      measure: lost,
    })
  })

  test('yes or no by the chance of yes, even if it never happens', () => {
    expect(headline(measure('guns destroyed', [[false, 1]])).figure).toBe('0\u00a0%')
    expect(
      headline(
        measure('guns destroyed', [
          [true, 0.25],
          [false, 0.75],
        ]),
      ).figure,
    ).toBe('25.0\u00a0%')
  })

  test('names by the likeliest', () => {
    const held = measure('Location held by', [
      ['Blue', 0.4],
      ['Red', 0.6],
    ])
    expect(headline(held)).toMatchObject({ figure: '60.0\u00a0%', words: 'Location held by: Red' })
    expect(isNumeric(held)).toBe(false)
    expect(formatMeasures([lost, held])).toBe(
      'Blue rifles: average losses 1.25 · Location held by: Red 60.0\u00a0%',
    )
  })
})

describe('the losses of both sides', () => {
  const own = measure('losses', [[0, 1]], 'attacker', 'Red guns')

  test('are those of the only unit that can lose', () => {
    const status = measure('status', [['none', 1]], 'defender')
    expect(losses(oddsOf(status, own, lost))).toEqual([lost])
    expect(losses(oddsOf(measure('wall takes', [[1, 1]]))).map(({ name }) => name)).toEqual(['wall takes'])
  })

  test('are those of the whole side where several can lose', () => {
    const other = measure('losses', [[0, 1]], 'defender', 'Blue guards')
    const all = { ...lost, name: 'defending side loses', owner: 'the defending side', side: null }
    expect(losses(oddsOf(lost, other, own, all))).toEqual([all])
  })

  test('are in the sentence that the odds begin with', () => {
    const destroyed = measure(
      'destroyed',
      [
        [true, 0.25],
        [false, 0.75],
      ],
      'defender',
      'Blue rifles',
    )
    expect(sentence(oddsOf(lost, own, destroyed))).toBe(
      'Blue rifles destroyed in 25.0\u00a0% of battles; on average 1.25 losses.',
    )
    const held = { ...destroyed, name: 'held', what: 'suppressed' }
    expect(sentence(oddsOf(destroyed, held, lost))).toBe(
      'Blue rifles destroyed in 25.0\u00a0% of battles; suppressed in 25.0\u00a0%; on average 1.25 losses.',
    )
  })

  test('are said even if they are certain, where nothing else can come', () => {
    expect(losses(oddsOf(own))).toEqual([own])
    expect(sentence(oddsOf(own))).toBe('On average 0.00 losses for Red guns.')
    expect(sentence(oddsOf(own), 'mortar, called in')).toBe(
      'Mortar, called in: on average 0.00 losses for Red guns.',
    )
  })
})

test('the holder of a place is named in the sentence and in large type', () => {
  const holder = {
    ...measure('who holds the Location', [
      ['Blue', 0.75],
      ['Red', 0.25],
    ]),
    owner: '',
  }
  expect(sentence(oddsOf(holder))).toBe('Blue holds the Location in 75.0\u00a0% of battles.')
  expect(headline(holder)).toMatchObject({ figure: '75.0\u00a0%', owner: 'Blue', what: 'holds the Location' })
  expect(headline(holder).words).toBe('Blue holds the Location')
})

test('a very long name is cut', () => {
  const owner = `Blue ${'guard '.repeat(30)}`
  const lost = { ...measure('losses', [[1, 1]], 'defender', owner), mean: 1 }
  expect(sentence(oddsOf(lost))).toBe('On average 1.00 losses for Blue guard guard guard guard guard guar….')
})

test('a name in a line is not repeated', () => {
  const destroyed = measure(
    'destroyed',
    [
      [true, 0.25],
      [false, 0.75],
    ],
    'defender',
    'Blue rifles',
  )
  const own = { ...lost, owner: 'the attacking side' }
  expect(formatMeasures([lost, destroyed, own])).toBe(
    'Blue rifles: average losses 1.25, destroyed 25.0\u00a0% · The attacking side: average losses 1.25',
  )
})

test('unlikely ends of long charts are put together, and no chance is lost', () => {
  const values = Array.from({ length: 41 }, (_, value): [number, number] => [
    value,
    Math.exp(-((value - 20) ** 2) / 8),
  ])
  const total = values.reduce((sum, [, p]) => sum + p, 0)
  const long = measure(
    'long',
    values.map(([value, p]) => [value, p / total]),
  )
  const steps = bins([long])
  expect(steps[0]?.label).toMatch(/^≤ /)
  expect(steps.at(-1)?.label).toMatch(/^≥ /)
  expect(steps.length).toBeLessThan(20)
  expect(steps.reduce((sum, bin) => sum + chanceBetween(long, bin.from, bin.to), 0)).toBeCloseTo(1, 12)
})

test('neighbours are put together where there would be too many bars', () => {
  const wide = measure(
    'wide',
    Array.from({ length: 100 }, (_, value) => [value, 0.01]),
  )
  const steps = bins([wide])
  expect(steps.length).toBeLessThanOrEqual(40)
  expect([steps[0]?.label, steps.at(-1)?.label]).toEqual(['0–2', '99'])
  expect(steps.reduce((sum, bin) => sum + chanceBetween(wide, bin.from, bin.to), 0)).toBeCloseTo(1, 12)
})

test('short charts show every value between the least and the most', () => {
  expect(bins([lost]).map(({ label }) => label)).toEqual(['0', '1', '2', '3'])
  expect(bins([])).toEqual([])
})

test('bars stand on the line, the tallest reaches the top, and none leaves the chart', () => {
  const chart = barChart(
    [
      lost,
      measure(
        'guns loses',
        [
          [0, 0.9],
          [4, 0.1],
        ],
        'attacker',
      ),
    ],
    400,
    190,
  )
  expect(chart.bars).toHaveLength(10)
  for (const bar of chart.bars) {
    expect(bar.y + bar.height).toBeCloseTo(chart.base, 9)
    expect(bar.x).toBeGreaterThanOrEqual(0)
    expect(bar.x + bar.width).toBeLessThanOrEqual(400)
  }
  expect(Math.min(...chart.bars.map((bar) => bar.y))).toBe(18)
  expect(chart.bars.find((bar) => bar.p === 0)?.label).toBe('')
  expect(chart.lines.map(({ label }) => label)).toEqual(['25%', '50%', '75%'])
  expect(chart.means[0]).toBeCloseTo(chart.left + chart.step * 1.75, 9)
})

test('of several names the likeliest is shown; that nothing came of it, only if nothing can', () => {
  const status = (values: Measure['values']) => measure('hmg is', values)
  expect(
    headline(
      status([
        ['none', 0.7],
        ['suppressed', 0.2],
        ['fallback', 0.1],
      ]),
    ).words,
  ).toBe('hmg is: suppressed')
  expect(headline(status([['none', 1]])).words).toBe('hmg is: none')
})

test('a turn is summed up by the enemies destroyed, and by what each unit loses', () => {
  const counted = (name: string, owner: string, side: string | null, mean: number): Measure => ({
    name,
    label: name,
    owner,
    what: owner ? 'losses' : name,
    side,
    role: side === 'red' ? 'attacker' : side === 'blue' ? 'defender' : null,
    values: [
      [0, 0.5],
      [1, 0.5],
    ],
    mean,
    sd: 0.5,
  })
  const destroyed: Measure = {
    ...counted('guns destroyed', 'Red guns', 'red', 0.25),
    values: [
      [false, 0.75],
      [true, 0.25],
    ],
  }
  const enemies = [0.3, 0.4].map((p, place): Measure => ({
    ...counted(`foe ${place} destroyed`, `Blue foe ${place}`, 'blue', p),
    what: 'destroyed',
    values: [
      [false, 1 - p],
      [true, p],
    ],
  }))
  const turn = {
    summaries: [
      counted('guns loses', 'Red guns', 'red', 0.5),
      destroyed,
      ...enemies,
      counted('enemies destroyed', '', null, 0.5),
      counted('swing', '', null, 0.5),
    ],
  } as unknown as Odds
  expect(isOfTurn(turn)).toBe(true)
  expect(losses(turn).map(({ name }) => name)).toEqual(['swing'])
  expect(headlines(turn).map(({ name }) => name)).toEqual(['enemies destroyed', 'swing', 'foe 1 destroyed'])
  expect(sentence(turn)).toContain('on average 0.50 enemies destroyed')
  expect(unitLosses(turn)).toEqual([{ unit: 'Red guns', side: 'red', mean: 0.5, destroyed: 0.25 }])
})
