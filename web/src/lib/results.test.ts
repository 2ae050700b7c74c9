import { expect, test } from 'vitest'

import { differences, headings, formatResult, formatValue, leaves, varyingPlaces } from './results'

const one = { units: { guns: { strength: 4, supply: 2 }, rifles: { strength: 5, supply: 0 } }, at: null }
const other = { units: { guns: { strength: 3, supply: 2 }, rifles: { strength: 5, supply: 0 } }, at: [4, 5] }

test('results differ at some places and are the same at others', () => {
  const results = [leaves(one), leaves(other)]
  const places = varyingPlaces(results)
  expect(headings(places)).toEqual(['guns strength', 'at'])
  expect(formatResult(leaves(other), places)).toBe('guns strength 3 · at 4, 5')
})

test('headings keep the name of their table where they would be the same without', () => {
  expect(headings(['frames\twall', 'terrain\twall', 'abandoned'])).toEqual([
    'frames wall',
    'terrain wall',
    'abandoned',
  ])
})

test('values in words', () => {
  expect([null, undefined, true, false, [], {}, ['a', 'b'], 0, ''].map(formatValue)).toEqual([
    '–',
    '–',
    'yes',
    'no',
    '–',
    '–',
    'a, b',
    '0',
    '',
  ])
})

test('what differs between two battles goes by the ids of their units', () => {
  const before = {
    system: 'supply',
    units: [
      { id: 'guns', strength: 4, at: [1, 2] },
      { id: 'rifles', strength: 5 },
    ],
  }
  const after = {
    system: 'supply',
    units: [
      { id: 'rifles', strength: 5 },
      { id: 'guns', strength: 2, at: [1, 3] },
    ],
    rules: { distance: 'diagonal' },
  }
  expect(differences(before, after)).toEqual([
    ['guns strength', '4', '2'],
    ['guns at', '1, 2', '1, 3'],
    ['rules distance', '–', 'diagonal'],
  ])
  expect(differences(before, structuredClone(before))).toEqual([])
})
