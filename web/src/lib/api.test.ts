import { expect, test } from 'vitest'

import { RefusedError, faultsOf, toDo } from './api'
import type { Fault } from './types'

const missing = (...places: string[]): Fault[] =>
  faultsOf(
    new RefusedError(
      422,
      places.map((place) => ({ place, message: 'is missing: expected text', code: 'missing', line: null })),
    ),
  )

test('what is left to do is said in a sentence', () => {
  expect(toDo(missing('attack.on'))).toBe('Choose a target')
  expect(toDo(missing('attack.by', 'attack.on'))).toBe('Choose an attacker and a target')
  expect(toDo([{ place: 'turn.side', message: 'there is no side "red"' }])).toBe(
    'Add a unit of the side whose turn it is',
  )
})

test('what is wrong is not something to do', () => {
  expect(toDo([])).toBeNull()
  expect(toDo(missing('units[0].die'))).toBeNull()
  expect(toDo([...missing('attack.on'), { place: 'units[0].die', message: 'expected 4' }])).toBeNull()
})
