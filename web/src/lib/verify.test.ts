import { describe, expect, test } from 'vitest'

import genuine from '../testing/fair-log.json'
import { type FairLog, canonical, digest, verify } from './verify'

const log = () => structuredClone(genuine) as unknown as FairLog

test('a log of the server is verified, every die', () => {
  expect(verify(log())).toEqual({ dice: 16, differs: [] })
})

test('what was witnessed before the dice fell is compared', () => {
  const { commitment } = log().fair
  const number = { side: 'attacker', text: '81110746440141' }
  expect(verify(log(), { commitment, number }).differs).toEqual([])
  expect(verify(log(), { commitment: 'ab'.repeat(32) }).differs).toEqual([
    'The commitment is not the one that was published before the battle.',
  ])
  expect(verify(log(), { number: { ...number, text: '1' } }).differs).toEqual([
    'Your number is not the one that you added.',
  ])
})

describe('every change to a log is detected', () => {
  function differsAfter(change: (log: FairLog) => void): string[] {
    const changed = log()
    change(changed)
    changed.digest = digest(changed)
    return verify(changed).differs
  }

  test('a face', () => {
    const [difference, ...others] = differsAfter((changed) => {
      const roll = changed.moves[0]?.roll
      if (roll) roll[2] = (Number(roll[2]) % 8) + 1
    })
    expect(difference).toMatch(/^Move 1, die 3: the log says \d, but \d follows\.$/)
    expect(others).toEqual([])
  })

  test('a die too few', () => {
    expect(differsAfter((changed) => changed.moves[0]?.roll?.pop())).toContain(
      'Move 1: not every die is named.',
    )
  })

  test('the secret', () => {
    expect(differsAfter((changed) => (changed.fair.secret = '00'.repeat(32)))).toContain(
      'The secret does not fit the commitment.',
    )
  })

  test('a number', () => {
    const differs = differsAfter((changed) => {
      changed.fair.numbers = { attacker: '81110746440141', defender: '8' }
    })
    expect(differs).toContain('The seed does not follow from the secret and the numbers.')
  })

  test('a decision, by the digest', () => {
    const changed = log()
    const decided = changed.moves.find((move) => move.choose)
    if (decided) decided.choose = 'no'
    expect(verify(changed).differs).toEqual(['The digest does not fit the log.'])
  })
})

test('before the battle is over there is nothing to verify', () => {
  const early = log()
  early.fair.secret = null
  expect(verify(early)).toEqual({
    dice: 0,
    differs: ['The secret is not published before the battle is over.'],
  })
})

test('canonical JSON sorts keys by code point and is ASCII, as Python writes it', () => {
  expect(canonical({ b: [1, null, true], a: 'Grüße 🎲', '\uff5e': 0, '🎲': 1, A: '\u007f"\\\n' })).toBe(
    '{"A":"\u007f\\"\\\\\\n","a":"Gr\\u00fc\\u00dfe \\ud83c\\udfb2","b":[1,null,true],"\\uff5e":0,"\\ud83c\\udfb2":1}',
  )
})
