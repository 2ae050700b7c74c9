import { expect, test } from 'vitest'

import { ago, combatants, sideName } from './words'

test('a battle is called by who attacks whom, or by its sides', () => {
  const battle = { system: 'any', attack: { by: 'guns', on: 'rifles' } }
  expect(combatants(battle, ['red', 'blue'])).toBe('guns v rifles')
  expect(combatants({ system: 'any' }, ['Red', 'Blue', 'Green'])).toBe('Red v Blue')
})

test('the time since then is in whole minutes, hours or days', () => {
  expect(ago(0, 59_000)).toBe('just now')
  expect(ago(0, 5 * 60_000)).toBe('5 min ago')
  expect(ago(0, 3 * 3_600_000 + 1)).toBe('3 h ago')
  expect(ago(0, 50 * 3_600_000)).toBe('2 d ago')
})

test('a side begins with a capital, and one as short as an abbreviation is written in capitals', () => {
  expect(['red', 'us', 'Blue'].map(sideName)).toEqual(['Red', 'US', 'Blue'])
})
