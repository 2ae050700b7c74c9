import { render, screen } from '@testing-library/svelte'
import { expect, test } from 'vitest'

import { colourOf, formatDie, shapeOf, symbolsOf } from './die'
import Die from './Die.svelte'

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

test('symbols are told apart from numbers and blanks', () => {
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
