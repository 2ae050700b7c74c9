import { describe, expect, test } from 'vitest'

import { systemOf } from '../testing/examples'
import {
  asAttack,
  asTurn,
  attacksIn,
  canBeTurn,
  heat,
  isNextAttack,
  mainLine,
  matrixOf,
  newBattle,
  sideOf,
} from './turns'
import type { AttackValue, Battle, PlanStep, PlayEvent } from './types'

const BATTLE: Battle = {
  system: 'supply',
  units: [
    { id: 'guards', side: 'blue', at: [4, 2] },
    { id: 'guns', side: 'red', at: [2, 3] },
  ],
  attack: { by: 'guns', on: 'guards', how: 'direct' },
}

const attack = (by: string, on: string): AttackValue => ({
  id: `${by} on ${on}`,
  by,
  on,
  swing: 0,
  kill: 0,
  own_losses: 0,
})

const chosen = (choose: string, rule = 'turn') => ({ kind: 'choice', rule, choose }) as unknown as PlayEvent

describe('a battle', () => {
  test('of one attack becomes the turn of the side that attacks', () => {
    expect(asTurn(BATTLE)).toEqual({ system: 'supply', units: BATTLE.units, turn: { side: 'red' } })
    expect(sideOf(asTurn(BATTLE))).toBe('red')
  })

  test('gets its attack back, unless a unit of it is gone', () => {
    expect(asAttack(asTurn(BATTLE), BATTLE.attack)).toEqual(BATTLE)
    expect(asAttack(asTurn(BATTLE), { by: 'guns', on: 'rifles' }).attack).toEqual({})
    expect(asAttack(asTurn(BATTLE), undefined).attack).toEqual({})
  })

  test('can be a turn if the system has turns and every unit has a place', () => {
    expect(canBeTurn(systemOf('supply'), BATTLE)).toBe(true)
    expect(canBeTurn(systemOf('ranks'), BATTLE)).toBe(false)
    expect(canBeTurn(systemOf('supply'), { ...BATTLE, units: [{ id: 'guns', side: 'red' }] })).toBe(false)
  })

  test.each(['supply', 'tower'])('of %s is a whole turn to begin with', (name) => {
    const battle = newBattle(systemOf(name))
    expect([battle.turn, battle.attack]).toEqual([{ side: 'red' }, undefined])
  })

  test('of a system without turns begins as it always did', () => {
    expect(newBattle(systemOf('ranks'))).toBe(systemOf('ranks').example)
  })
})

describe('a turn', () => {
  test('is logged attack by attack', () => {
    const events = [chosen('a on b'), chosen('yes', 'counterattack'), chosen('c on b'), chosen('end')]
    expect(events.map(isNextAttack)).toEqual([true, false, true, true])
    expect(attacksIn(events)).toEqual([0, 2])
  })

  test('has a plan whose likeliest line is numbered', () => {
    const branch = (next: PlanStep | null) => ({ conditions: [], probability: 0.5, next, is_cut: false })
    const step = (by: string, on: string, ...branches: (PlanStep | null)[]): PlanStep => ({
      attack: `${by} on ${on}`,
      by,
      on,
      branches: branches.map(branch),
    })
    expect(mainLine(step('a', 'x', step('b', 'x', null), step('b', 'y')))).toEqual([
      { number: 1, by: 'a', on: 'x' },
      { number: 2, by: 'b', on: 'x' },
    ])
    expect(mainLine(null)).toEqual([])
  })

  test('is a table of attackers and targets in the order offered', () => {
    const attacks = [attack('b', 'y'), attack('b', 'x'), attack('a', 'x')]
    expect(matrixOf(attacks)).toEqual({ attackers: ['b', 'a'], targets: ['y', 'x'] })
  })
})

test('heat tells what is good apart, and what is bad from it', () => {
  const all = [2, -1, '1/2', 0]
  expect(all.map((value) => heat(value, all).toFixed(2))).toEqual(['1.00', '-0.50', '0.40', '0.00'])
  expect([2, 3].map((value) => heat(value, [2, 3]))).toEqual([0.2, 1])
  expect([heat(0, [0, 0]), heat(1, [1, 1])]).toEqual([0, 1])
})
