import { render, screen } from '@testing-library/svelte'
import { expect, test } from 'vitest'

import type { Fate, RolledPool } from '../lib/types'
import { playsOf } from '../testing/examples'

import { colourOf, formatDie, shapeOf, symbolsOf } from './die'
import Die from './Die.svelte'
import { pairsOf, rollersOf } from './rolled'

test('a number die has the shape of its faces', () => {
  expect(['d4', 'd6', 'd8', 'd10', 'd12', 'd20', 'green d8'].map(shapeOf)).toEqual([
    'triangle',
    'square',
    'diamond',
    'kite',
    'pentagon',
    'hexagon',
    'diamond',
  ])
})

test('a symbol die is a cube, and so is a die of another number of faces', () => {
  expect(['red', 'd7'].map(shapeOf)).toEqual(['square', 'square'])
})

test('the colour is what the name begins with', () => {
  expect(['red', 'red direct d6', 'white d6', 'd10'].map(colourOf)).toEqual(['red', 'red', 'white', null])
})

test('symbols differ from numbers and blanks', () => {
  expect([symbolsOf('CD'), symbolsOf('X'), symbolsOf(''), symbolsOf(7), symbolsOf('7')]).toEqual([
    ['C', 'D'],
    ['X'],
    [],
    [],
    [],
  ])
})

test('a die is said in words', () => {
  expect(formatDie('d10', 7, 'loses')).toBe('d10 showing 7, loses')
  expect(formatDie('red', 'CD')).toBe('red die showing critical and damage')
  expect(formatDie('blue', '', 'unused')).toBe('blue die showing nothing, unused')
})

test('the drawn die has its words as a name, and a cancelled one is struck out', () => {
  const { container } = render(Die, { die: 'd6', face: 4, fate: 'loses' })
  expect(screen.getByRole('img', { name: 'd6 showing 4, loses' })).toBeTruthy()
  expect(container.querySelector('.struck')).not.toBeNull()
})

test('a die that wins is not struck out, and two symbols are drawn apart', () => {
  const { container } = render(Die, { die: 'yellow', face: 'XD', fate: 'wins' })
  expect(container.querySelector('.struck')).toBeNull()
  expect([...container.querySelectorAll('g')].map((symbol) => symbol.getAttribute('transform'))).toEqual([
    'translate(12 20) scale(0.95)',
    'translate(28 20) scale(0.95)',
  ])
})

const pool = (by: string, faces: number[], fates: Fate[]): RolledPool => ({
  by,
  side: by,
  role: 'attacker',
  die: 'd6',
  faces,
  fates,
})
const metIn = (...pools: RolledPool[]) =>
  pairsOf(rollersOf(pools))?.map(({ first, second }) => [first?.face ?? null, second?.face ?? null])

test('rolled dice stand from high to low, symbols from strong to weak, blanks last', () => {
  const symbols = { ...pool('rifles', [], []), die: 'red', faces: ['', 'X', 'DD', 'CD'] }
  expect(
    rollersOf([pool('guns', [2, 6, 4], []), symbols]).map(({ dice }) => dice.map(({ face }) => face)),
  ).toEqual([
    [6, 4, 2],
    ['CD', 'DD', 'X', ''],
  ])
})

test('dice that are compared by rank stand over each other', () => {
  const red = pool('Red', [3, 1, 10], ['loses', 'loses', 'wins'])
  const blue = pool('Blue', [5, 9, 3, 2], ['wins', 'loses', 'wins', 'unused'])
  expect(metIn(red, blue)).toEqual([
    [10, 9],
    [3, 5],
    [1, 3],
    [null, 2],
  ])
})

test('a die stands over the one that removed it, and those that got through stand alone', () => {
  const guns = pool('guns', [5, 6, 2], ['loses', 'wins', 'loses'])
  const rifles = pool('rifles', [1, 5, 3], ['unused', 'wins', 'wins'])
  expect(metIn(guns, rifles)).toEqual([
    [5, 5],
    [2, 3],
    [6, null],
    [null, 1],
  ])
})

test('where no die met another there are no pairs', () => {
  expect(pairsOf(rollersOf([pool('hero', [1, 5], ['unused', 'wins'])]))).toBeNull()
})

test.each(['supply', 'ranks'])(
  'in all plays of %s every die that is lost stands beside another',
  (system) => {
    for (const { response } of playsOf(system)) {
      for (const event of response.events.filter((one) => one.kind === 'roll')) {
        const rollers = rollersOf(event.dice)
        const shown = pairsOf(rollers) ?? []
        const all = shown.flatMap(({ first, second }) => [first, second]).filter((die) => die !== null)
        if (shown.length) expect(all).toHaveLength(rollers.flatMap(({ dice }) => dice).length)
        for (const { first, second, isCancelled } of shown)
          expect(isCancelled && !(first && second)).toBe(false)
      }
    }
  },
)
