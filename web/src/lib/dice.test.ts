import { afterEach, expect, test, vi } from 'vitest'

import { MachineDice, fairSeed, newSeed } from './dice'

afterEach(() => void vi.unstubAllGlobals())

const bytes = (length: number) => Uint8Array.from({ length }, (_, place) => (place * 31 + length) % 256)

function drawn(seed: string, faces: number): number[] {
  const dice = new MachineDice(seed)
  const numbers = []
  for (let draw = 0; draw < 12; draw++) numbers.push(dice.drawBelow(faces))
  return numbers
}

test('a seed gives the same dice as the command and the server', () => {
  expect(drawn('7', 6)).toEqual([4, 3, 5, 3, 5, 2, 4, 5, 2, 1, 2, 3])
  expect(drawn('7', 10)).toEqual([4, 1, 5, 9, 7, 6, 4, 7, 6, 1, 6, 1])
  expect(drawn('Grüße', 20)).toEqual([17, 18, 11, 11, 5, 4, 5, 15, 2, 4, 17, 4])
  expect(drawn('x', 3)).toEqual([1, 2, 1, 2, 2, 2, 1, 0, 2, 1, 1, 0])
})

test('dice go on where they were left', () => {
  const dice = new MachineDice('7', 6)
  expect(dice.roll(['a', 'b', 'c', 'd', 'e', 'f'])).toBe('e')
  expect(dice.draws).toBe(7)
})

test('dice need no cryptography of the browser, which pages over plain HTTP do not get', () => {
  const getRandomValues = crypto.getRandomValues.bind(crypto)
  vi.stubGlobal('crypto', { getRandomValues })
  expect(drawn('7', 6)).toEqual([4, 3, 5, 3, 5, 2, 4, 5, 2, 1, 2, 3])
  expect(newSeed()).toMatch(/^\d{1,15}$/)
})

test('no two pairs of numbers make the same seed by moving a digit from one to the other', () => {
  const secret = bytes(32)
  const seeds = [fairSeed(secret, ['12', '3']), fairSeed(secret, ['1', '23']), fairSeed(secret, ['3', '12'])]
  expect(new Set(seeds).size).toBe(3)
})
