import { expect, test } from 'vitest'

import { facesOf, understand, written } from './typed'
import type { OpenPool } from './types'

const d = (faces: number): OpenPool => ({
  by: 'guns',
  side: 'red',
  role: 'attacker',
  count: 3,
  die: `d${faces}`,
  faces: Array.from({ length: faces }, (_, face) => face + 1),
})
const symbols: OpenPool = {
  by: 'rifles',
  side: 'blue',
  role: 'defender',
  count: 2,
  die: 'red',
  faces: ['', '', 'D', 'DD', 'CD', 'X'],
}

test('dice of up to nine faces may be typed without spaces', () => {
  expect(understand('643', d(6)).faces).toEqual([6, 4, 3])
  expect(understand(' 6, 4;3 ', d(6)).faces).toEqual([6, 4, 3])
})

test('larger dice are typed apart', () => {
  expect(understand('10 1 9', d(10))).toEqual({ faces: [10, 1, 9], wrong: [] })
  expect(understand('109', d(10))).toEqual({ faces: [], wrong: ['109'] })
})

test('a face that the die has not is told', () => {
  expect(understand('7 6 x', d(6))).toEqual({ faces: [6], wrong: ['7', 'X'] })
})

test('symbols in capitals or not, and a dash for a blank', () => {
  expect(understand('dd - CD', symbols)).toEqual({ faces: ['DD', '', 'CD'], wrong: [] })
})

test('every face is written so that it is understood', () => {
  for (const handful of [d(4), d(6), d(8), d(10), d(12), d(20), symbols]) {
    const all = facesOf(handful)
    expect(understand(all.map(written).join(' '), handful)).toEqual({ faces: all, wrong: [] })
  }
})
