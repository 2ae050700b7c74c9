import { afterEach, expect, test, vi } from 'vitest'

import { MachineDice, fairSeed, fromHex, hmac, newSeed, ownHmac, sha256, toHex, utf8 } from './dice'
import { sha256 as ownSha256 } from './sha256'

afterEach(() => void vi.unstubAllGlobals())

const bytes = (length: number) => Uint8Array.from({ length }, (_, place) => (place * 31 + length) % 256)

async function drawn(seed: string, faces: number): Promise<number[]> {
  const dice = new MachineDice(seed)
  const numbers = []
  for (let draw = 0; draw < 12; draw++) numbers.push(await dice.drawBelow(faces))
  return numbers
}

test('a seed gives the same dice as the command and the server', async () => {
  expect(await drawn('7', 6)).toEqual([4, 3, 5, 3, 5, 2, 4, 5, 2, 1, 2, 3])
  expect(await drawn('7', 10)).toEqual([4, 1, 5, 9, 7, 6, 4, 7, 6, 1, 6, 1])
  expect(await drawn('Grüße', 20)).toEqual([17, 18, 11, 11, 5, 4, 5, 15, 2, 4, 17, 4])
  expect(await drawn('x', 3)).toEqual([1, 2, 1, 2, 2, 2, 1, 0, 2, 1, 1, 0])
})

test('dice go on where they were left', async () => {
  const dice = new MachineDice('7', 6)
  expect(await dice.roll(['a', 'b', 'c', 'd', 'e', 'f'])).toBe('e')
  expect(dice.draws).toBe(7)
})

test('our own SHA-256 and HMAC are those of the browser, at every length around a block', async () => {
  expect(toHex(ownSha256(utf8('abc')))).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
  for (const length of [0, 1, 31, 55, 56, 57, 63, 64, 65, 119, 120, 128, 200]) {
    expect(toHex(ownSha256(bytes(length)))).toBe(toHex(await sha256(bytes(length))))
    expect(toHex(ownHmac(bytes(length + 1), bytes(40)))).toBe(toHex(await hmac(bytes(length + 1), bytes(40))))
  }
})

test('an empty key is a key', async () => {
  const digest = 'b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad'
  expect(toHex(await hmac(bytes(0), bytes(0)))).toBe(digest)
})

test('over plain HTTP, where the browser gives no cryptography, the dice are the same', async () => {
  const getRandomValues = crypto.getRandomValues.bind(crypto)
  vi.stubGlobal('crypto', { getRandomValues })
  expect(await drawn('7', 6)).toEqual([4, 3, 5, 3, 5, 2, 4, 5, 2, 1, 2, 3])
  expect(newSeed()).toMatch(/^\d{1,15}$/)
})

test('no two pairs of numbers make the same seed by moving a digit from one to the other', async () => {
  const secret = bytes(32)
  const seeds = [
    await fairSeed(secret, ['12', '3']),
    await fairSeed(secret, ['1', '23']),
    await fairSeed(secret, ['3', '12']),
  ]
  expect(new Set(seeds).size).toBe(3)
})

test('hexadecimal digits there and back, and nothing else', () => {
  expect(fromHex(toHex(bytes(40)))).toEqual(bytes(40))
  expect(() => fromHex('abc')).toThrow(RangeError)
  expect(() => fromHex('zz')).toThrow(RangeError)
})
