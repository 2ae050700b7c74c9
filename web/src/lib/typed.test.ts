import { expect, test } from 'vitest'

import { facesOf, parseRoll, faceText } from './typed'
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

const faces = (text: string, ...pools: OpenPool[]) => parseRoll(text, pools).faces

test('dice of up to nine faces may be typed without spaces', () => {
  expect(faces('643', d(6))).toEqual([[6, 4, 3]])
  expect(faces(' 6, 4;3 ', d(6))).toEqual([[6, 4, 3]])
})

test('larger dice are typed apart', () => {
  expect(faces('10 1 9', d(10))).toEqual([[10, 1, 9]])
  expect(parseRoll('109', [d(10)])).toEqual({
    faces: [[]],
    wrong: [{ part: '109', die: 'd10' }],
    surplus: 0,
  })
})

test('pools follow each other, and so do their dice', () => {
  expect(faces('6431 2 10', d(6), d(10))).toEqual([
    [6, 4, 3],
    [1, 2, 10],
  ])
  expect(faces('643 10 2', d(6), d(10))).toEqual([
    [6, 4, 3],
    [10, 2],
  ])
  expect(faces('dd - 66', symbols, d(6))).toEqual([
    ['DD', ''],
    [6, 6],
  ])
})

test('a face that the die does not have is reported, and so are dice that are too many', () => {
  expect(parseRoll('7 6 x', [d(6)])).toEqual({
    faces: [[6]],
    wrong: [
      { part: '7', die: 'd6' },
      { part: 'x', die: 'd6' },
    ],
    surplus: 0,
  })
  expect(parseRoll('66666', [d(6)]).surplus).toBe(2)
})

test('symbols in capitals or not, and a dash for a blank', () => {
  expect(faces('dd -', symbols)).toEqual([['DD', '']])
})

test('every face is written so that it is understood', () => {
  for (const handful of [d(4), d(6), d(8), d(10), d(12), d(20), symbols]) {
    const pool = { ...handful, count: facesOf(handful).length }
    expect(faces(facesOf(pool).map(faceText).join(' '), pool)).toEqual([facesOf(pool)])
  }
})
