import { expect, test } from 'vitest'

import { type Game, type GameTurn, decidersOf, isIdle, score, turnSeed } from './game'

const GAME: Game = { computer: 'blue', policy: 'greedy', seed: '7', objective: 'kill', turns: [] }

const turn = (side: string, attacks: number, swing = 0): GameTurn => ({ side, attacks, swing })

test('the computer decides for its side, in whichever role', () => {
  expect(decidersOf(GAME, 'blue')).toEqual({ attacker: 'greedy', defender: 'ask', objective: 'kill' })
  expect(decidersOf(GAME, 'red')).toEqual({ attacker: 'ask', defender: 'greedy', objective: 'kill' })
})

test('every turn has dice of its own, which follow from the seed of the game', () => {
  expect(turnSeed(GAME)).toBe('7 turn 1')
  expect(turnSeed({ ...GAME, turns: [turn('red', 1)] })).toBe('7 turn 2')
})

test('two turns in a row without an attack are the end', () => {
  expect(isIdle([turn('red', 0)])).toBe(false)
  expect(isIdle([turn('red', 0), turn('blue', 1), turn('red', 0)])).toBe(false)
  expect(isIdle([turn('red', 2), turn('blue', 0), turn('red', 0)])).toBe(true)
})

test('what one side gains the other loses', () => {
  const turns = [turn('red', 2, 4), turn('blue', 1, 3), turn('red', 1, -1)]
  expect([score(turns, 'red'), score(turns, 'blue')]).toEqual([0, 0])
  expect(score(turns.slice(0, 2), 'red')).toBe(1)
})
