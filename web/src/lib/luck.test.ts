import { describe, expect, test } from 'vitest'

import * as supply from '../testing/supply'
import { luckOf } from './luck'
import type { Battle, Odds } from './types'

test('a result has its chance, and its place among all', () => {
  const luck = luckOf(supply.battle, supply.odds, {
    units: { rifles: { supply: 1, strength: 0 }, guns: { strength: 2, supply: 2 } },
  })
  expect(luck).toEqual({
    chance: 0.25,
    rank: 2,
    results: 4,
    swing: { less: 0.75, same: 0.25, more: 0 },
    left: { attacker: { less: 0.375, same: 0.625, more: 0 }, defender: { less: 0, same: 0.25, more: 0.75 } },
  })
})

test('a result that the policies never reach has no chance, but still a place', () => {
  const luck = luckOf(supply.battle, supply.odds, {
    units: { guns: { strength: 0, supply: 0 }, rifles: { strength: 2, supply: 0 } },
  })
  expect([luck.chance, luck.rank]).toEqual([0, 0])
  expect(luck.swing).toEqual({ less: 0, same: 0, more: 1 })
})

describe('what counts as left', () => {
  const place = (battle: Battle, results: Odds['outcomes'][0]['result'][], of: number) => {
    const outcomes = results.map((result) => ({ p: 1 / results.length, result }))
    return luckOf(battle, { ...supply.odds, outcomes }, results[of] ?? {})
  }

  test('units of armies, whose players attack or defend', () => {
    const battle: Battle = {
      system: 'ranks',
      defender: { player: 'Blue', units: 4 },
      arrivals: [{ player: 'Red', side: 'attack', units: 3 }],
    }
    const luck = place(battle, [{ armies: { Blue: 4, Red: 0 } }, { armies: { Blue: 2, Red: 3 } }], 1)
    expect(luck.swing).toEqual({ less: 0.5, same: 0.5, more: 0 })
    expect(luck.left.defender).toEqual({ less: 0, same: 0.5, more: 0.5 })
  })

  test('systems and white dice; terrain counts nothing, and an attacker off the table has no losses', () => {
    const battle: Battle = {
      system: 'frames',
      frames: [{ id: 'osprey', player: 'Joshua', loadout: 'WWB' }],
      terrain: [{ id: 'wall', hits: 1 }],
      attack: { on: 'osprey' },
    }
    const left = (systems: string[], white: number) => ({
      frames: { osprey: { systems, white } },
      terrain: { wall: { hits: 0 } },
    })
    const luck = place(battle, [left(['defense'], 2), left([], 2), left([], 1)], 1)
    expect(luck.left).toEqual({ attacker: null, defender: { less: 1 / 3, same: 1 / 3, more: 1 / 3 } })
  })

  test('damage', () => {
    const battle: Battle = {
      system: 'assault',
      units: [
        { id: 'rifles', side: 'us' },
        { id: 'hmg', side: 'ge' },
      ],
      attack: { by: 'rifles', on: 'hmg' },
    }
    const hurt = (damage: number) => ({ units: { rifles: { damage: 0 }, hmg: { damage } } })
    expect(place(battle, [hurt(0), hurt(3)], 1).swing).toEqual({ less: 0.5, same: 0.5, more: 0 })
  })
})
