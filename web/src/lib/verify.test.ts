import { describe, expect, test } from 'vitest'

import genuine from '../testing/fair-log.json'
import { type FairLog, canonical, digest, verify } from './verify'

const log = () => structuredClone(genuine) as unknown as FairLog

test('a log of the server is verified, every die', async () => {
  expect(await verify(log())).toEqual({ dice: 16, differs: [] })
})

test('what was witnessed before the dice fell is compared', async () => {
  const { commitment } = log().fair
  const number = { side: 'attacker', text: '81110746440141' }
  expect((await verify(log(), { commitment, number })).differs).toEqual([])
  expect((await verify(log(), { commitment: 'ab'.repeat(32) })).differs).toEqual([
    'The commitment is not the one that was published before the battle.',
  ])
  expect((await verify(log(), { number: { ...number, text: '1' } })).differs).toEqual([
    'Your number is not the one that you added.',
  ])
})

describe('whatever is changed in a log is found out', () => {
  async function differsAfter(change: (log: FairLog) => void): Promise<string[]> {
    const changed = log()
    change(changed)
    changed.digest = await digest(changed)
    return (await verify(changed)).differs
  }

  test('a face', async () => {
    const [difference, ...others] = await differsAfter((changed) => {
      const roll = changed.moves[0]?.roll
      if (roll) roll[2] = (Number(roll[2]) % 8) + 1
    })
    expect(difference).toMatch(/^Move 1, die 3: the log says \d, but \d follows\.$/)
    expect(others).toEqual([])
  })

  test('a die too few', async () => {
    expect(await differsAfter((changed) => changed.moves[0]?.roll?.pop())).toContain(
      'Move 1: not every die is named.',
    )
  })

  test('the secret', async () => {
    expect(await differsAfter((changed) => (changed.fair.secret = '00'.repeat(32)))).toContain(
      'The secret does not fit the commitment.',
    )
  })

  test('a number', async () => {
    const differs = await differsAfter((changed) => {
      changed.fair.numbers = { attacker: '81110746440141', defender: '8' }
    })
    expect(differs).toContain('The seed does not follow from the secret and the numbers.')
  })

  test('a decision, by the digest', async () => {
    const changed = log()
    const decided = changed.moves.find((move) => move.choose)
    if (decided) decided.choose = 'no'
    expect((await verify(changed)).differs).toEqual(['The digest does not fit the log.'])
  })
})

test('before the battle is over there is nothing to verify', async () => {
  const early = log()
  early.fair.secret = null
  expect(await verify(early)).toEqual({
    dice: 0,
    differs: ['The secret is not published before the battle is over.'],
  })
})

test('canonical JSON sorts keys by code point and is ASCII, as Python writes it', () => {
  expect(canonical({ b: [1, null, true], a: 'Grüße 🎲', '\uff5e': 0, '🎲': 1, A: '\u007f"\\\n' })).toBe(
    '{"A":"\u007f\\"\\\\\\n","a":"Gr\\u00fc\\u00dfe \\ud83c\\udfb2","b":[1,null,true],"\\uff5e":0,"\\ud83c\\udfb2":1}',
  )
})
