import { expect, test } from 'vitest'

import genuine from '../testing/fair-log.json'
import { checkDice, readLog } from './logs'
import { playOf } from './play.svelte'

test('a log is not taken for a battle, nor anything else for a log', () => {
  expect(readLog(JSON.stringify(genuine))?.battle.system).toBe('supply')
  for (const text of [
    'system = "ranks"',
    '{"system": "ranks"}',
    '{"grognard": 1}',
    '[]',
    'null',
    '{"grognard": 1, "battle": {}, "moves": []}',
  ]) {
    expect(readLog(text)).toBeNull()
  }
})

test('the play in a log goes on where it ended', () => {
  const log = readLog(JSON.stringify(genuine))
  const { steps, draws, seed, dice } = log ? playOf(log) : playOf({ seed: null, moves: [] })
  expect(steps.map(({ from }) => from)).toEqual(['machine', 'person', 'machine'])
  expect([draws, dice, seed]).toEqual([16, 'machine', genuine.seed])
})

test('dice typed in at a table are known as such', () => {
  const moves = [{ rule: '', question: '', roll: [6, 4] }]
  expect(playOf({ seed: null, moves })).toMatchObject({
    dice: 'table',
    steps: [{ from: 'table' }],
  })
})

test('fair dice are verified when a log is opened', () => {
  const log = readLog(JSON.stringify(genuine))
  expect(log && checkDice(log)).toBe(
    'Fair dice: all 16 of them were recomputed, and are as they were rolled.',
  )
  const forged = readLog(JSON.stringify(genuine).replace('"roll":[', '"roll":[0,'))
  expect(forged && checkDice(forged)).toMatch(/^These are not the dice committed to\./)
})
