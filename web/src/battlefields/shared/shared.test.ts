import { describe, expect, test } from 'vitest'

import type { Battle } from '../../lib/types'
import {
  flag,
  listOf,
  maybe,
  named,
  number,
  oneOf,
  table,
  text,
  tile,
  field,
  optional,
} from '../../testing/fields'
import { squares } from './grid'
import { blank, commonName, fewValues, fieldsOf, freshName, matches } from './kinds'
import { nearestThatWay } from './navigate'
import { valueAt, faultsAt, faultsIn, pathOf, placeOf, put } from './places'
import { Looks, orderOf } from '../../lib/sides'
import { symbolFor } from './symbols'
import { addUnit, withAim, setValue, placeFor, removed, removedName, unitsOf } from './units'

describe('places', () => {
  const battle: Battle = {
    system: 'x',
    units: [{ id: 'a', at: [1, 2] }, { id: 'b' }],
    board: { capitals: { 'my side': [1, 1] } },
  }

  test('are written and read as faults write them', () => {
    for (const place of ['units[1].at', 'board.capitals."my side"', 'attack.cover[1]', 'rules.die', '']) {
      expect(placeOf(pathOf(place))).toBe(place)
    }
    expect(pathOf('board.capitals."my side"')).toEqual(['board', 'capitals', 'my side'])
  })

  test('lead to what stands there', () => {
    expect(valueAt(battle, ['units', 0, 'at', 1])).toBe(2)
    expect(valueAt(battle, ['units', 7, 'at'])).toBeUndefined()
  })

  test('are filled without touching the battle as it was', () => {
    const next = put(battle, ['units', 1, 'at'], [3, 3])
    expect(next.units).toEqual([
      { id: 'a', at: [1, 2] },
      { id: 'b', at: [3, 3] },
    ])
    expect(battle.units).toEqual([{ id: 'a', at: [1, 2] }, { id: 'b' }])
  })

  test('are emptied: a key goes, an entry of a list goes', () => {
    expect(put(battle, ['units', 0], undefined).units).toEqual([{ id: 'b' }])
    expect(put(battle, ['board'], undefined)).toEqual({ system: 'x', units: battle.units })
  })

  test('are made on the way', () => {
    expect(put({ system: 'x' }, ['attack', 'by'], 'a')).toEqual({ system: 'x', attack: { by: 'a' } })
  })

  test('have the faults that are there, or anywhere inside', () => {
    const faults = ['units[1]', 'units[1].at', 'units[10].at'].map((place) => ({ place, message: place }))
    expect(faultsAt(faults, ['units', 1]).map((fault) => fault.place)).toEqual(['units[1]'])
    expect(faultsIn(faults, ['units', 1]).map((fault) => fault.place)).toEqual(['units[1]', 'units[1].at'])
  })
})

describe('kinds', () => {
  test('have a simplest value each', () => {
    const unit = table(
      field('id', text),
      field('at', tile),
      optional('fired', flag, false),
      field('die', oneOf(4, 6)),
    )
    expect(blank(unit)).toEqual({ id: 'new', at: [1, 1], die: 4 })
    expect([blank(number(1)), blank(listOf(text)), blank(named(text))]).toEqual([1, [], {}])
  })

  test('tell their values apart', () => {
    expect([
      matches(number(), 1),
      matches(number(), 'a'),
      matches(oneOf('a'), 'a'),
      matches(unitTable, { id: 'a' }),
    ]).toEqual([true, false, true, true])
  })

  test('that have few values list them', () => {
    expect(fewValues({ kind: 'either', of: [oneOf('roll'), flag] })).toEqual(['roll', true, false])
    expect(fewValues({ kind: 'either', of: [oneOf('roll'), number()] })).toBeNull()
    expect(fewValues(maybe(flag))).toEqual([true, false])
  })

  const unitTable = table(field('id', text))

  test('of tables and of lists of tables give their fields', () => {
    const fields = [field('units', listOf(unitTable)), field('attack', unitTable)]
    expect(fieldsOf(fields, 'units').map(({ name }) => name)).toEqual(['id'])
    expect(fieldsOf(fields, 'attack').map(({ name }) => name)).toEqual(['id'])
  })
})

test('a fresh name is counted up', () => {
  expect([freshName('guns', []), freshName('guns', ['guns']), freshName('guns', ['guns', 'guns 2'])]).toEqual(
    ['guns', 'guns 2', 'guns 3'],
  )
})

test('a kind is a name in small letters, but for what is written in capitals', () => {
  expect(['Hero', 'US Rifles 43', 'GE HMG 42', 'Militia'].map(commonName)).toEqual([
    'hero',
    'US rifles 43',
    'GE HMG 42',
    'militia',
  ])
})

describe('sides', () => {
  const colours = (...sides: string[]) => sides.map((side) => new Looks(sides).get(side).colour)

  test('have the colours that they are named after, and the others what is left', () => {
    expect(colours('us', 'Blue', 'ge')).toEqual(['red', 'blue', 'green'])
    expect(colours('Green', 'us')).toEqual(['green', 'red'])
  })

  test('have shapes of their own', () => {
    const looks = new Looks(['a', 'b', 'c', 'd'])
    expect(new Set(['a', 'b', 'c', 'd'].map((side) => looks.get(side).outline)).size).toBe(4)
  })

  test('keep their colours in the next attack, whoever attacks and whoever is gone', () => {
    const first = orderOf([], { us: 'attacker', ge: 'defender', fr: 'defender' }, false)
    const next = orderOf(first, { fr: 'attacker', ge: 'defender' }, true)
    expect(['ge', 'fr'].map((side) => new Looks(next).get(side))).toEqual(
      ['ge', 'fr'].map((side) => new Looks(first).get(side)),
    )
  })

  test('that are not known yet get a colour that stays', () => {
    const looks = new Looks()
    expect([looks.get('us').colour, looks.get('ge').colour, looks.get('us').colour]).toEqual([
      'red',
      'blue',
      'red',
    ])
  })
})

test('symbols are found by names, then by what stands behind them', () => {
  expect(
    ['rifles', 'siege train', 'machine guns', 'armour', 'scouts', 'mortar', 'Hero'].map((name) =>
      symbolFor(name),
    ),
  ).toEqual(['infantry', 'artillery', 'machine gun', 'armour', 'recon', 'mortar', 'hero'])
  expect([symbolFor('fortress'), symbolFor('fortress', 'artillery'), symbolFor('GE HMG 42')]).toEqual([
    'plain',
    'artillery',
    'machine gun',
  ])
})

test('arrow keys lead to the nearest that way, straight ahead first, and nowhere if nothing is there', () => {
  const points = [
    { x: 0, y: 0 },
    { x: 300, y: 0 },
    { x: 100, y: 150 },
    { x: 0, y: 400 },
  ]
  expect(nearestThatWay(points, 0, { x: 1, y: 0 })).toBe(1)
  expect(nearestThatWay(points, 0, { x: 0, y: 1 })).toBe(2)
  expect(nearestThatWay(points, 0, { x: -1, y: 0 })).toBe(-1)
  expect(nearestThatWay(points, 3, { x: 1, y: 0 })).toBe(2)
})

describe('units', () => {
  const battle: Battle = {
    system: 'supply',
    units: [
      { id: 'guns', side: 'red', at: [1, 1] },
      { id: 'rifles', side: 'blue', at: [2, 1] },
    ],
    attack: { by: 'guns', on: 'rifles', how: 'direct' },
  }
  const grid = squares([1, 1], [3, 3])

  test('are added under a name of their own', () => {
    const next = addUnit(battle, 'guns', { die: 8 }, 'blue')
    expect(unitsOf(next)[2]?.raw).toEqual({ id: 'guns 2', side: 'blue', die: 8 })
  })

  test('are placed on a free tile from which they can attack, near their friends', () => {
    const far = squares([1, 1], [9, 9])
    const units = unitsOf({
      ...battle,
      units: [
        { id: 'a', side: 'red', at: [1, 1] },
        { id: 'b', side: 'blue', at: [7, 1] },
      ],
    })
    const tile = placeFor(units, 'red', { grid: far, near: [4, 1], reach: 2 })
    expect([far.distance(tile, [7, 1]), tile]).toEqual([2, [5, 1]])
    expect(placeFor(unitsOf(battle), 'green', { grid, near: [1, 1], reach: 0 })).toEqual([1, 2])
  })

  test('that are called by their card are called by their new card, and others keep their names', () => {
    const cards: Battle = {
      system: 'assault',
      units: [
        { id: 'US rifles 43 2', side: 'us', card: 'US Rifles 43' },
        { id: 'Easy', side: 'us', card: 'US Rifles 43' },
      ],
      attack: { by: 'US rifles 43 2' },
    }
    const next = setValue(setValue(cards, ['units', 0, 'card'], 'GE HMG'), ['units', 1, 'card'], 'GE HMG')
    expect([unitsOf(next).map(({ id }) => id), next.attack]).toEqual([['GE HMG', 'Easy'], { by: 'GE HMG' }])
  })

  test('that are removed are named, so that they can be brought back', () => {
    expect(removedName(battle, removed(battle, ['units', 1]))).toBe('rifles')
    expect(removedName(battle, setValue(battle, ['units', 1, 'die'], 4))).toBeNull()
  })

  test('that are removed leave their part in the attack open', () => {
    expect(removed(battle, ['units', 1]).attack).toEqual({ by: 'guns', how: 'direct' })
  })

  test('that are renamed keep their part in the attack', () => {
    const next = setValue(battle, ['units', 0, 'id'], 'cannon')
    expect([unitsOf(next)[0]?.id, next.attack]).toEqual([
      'cannon',
      { by: 'cannon', on: 'rifles', how: 'direct' },
    ])
  })

  test('are aimed anew without what was said of the last attack', () => {
    expect(withAim(battle, 'rifles', 'guns').attack).toEqual({ by: 'rifles', on: 'guns' })
  })
})
