import { fireEvent, screen } from '@testing-library/svelte'
import { describe, expect, test } from 'vitest'

import type { Battle } from '../../lib/types'
import { unitsOf } from '../shared/units'
import { battlesOf, systemOf } from '../../testing/examples'
import { given } from '../../testing/given'
import { gridOf, hexesOf, addMap, stripTiles, removeMap, withGround } from './board'
import Battlefield from './Battlefield.svelte'
import { factsOf, formatFacts, lineOf } from './facts'
import { marksOf } from './marks'
import { cardsOf, diceOf, isInBand, profileOf, terrainOf } from './figures'

const ASSAULT = systemOf('assault')
const BATTLES = battlesOf('assault')

const RIDGE = BATTLES['over the ridge'] as Battle
const FOREST = BATTLES['rifles on a machine gun'] as Battle
const BUNKER = BATTLES['joint fire on a bunker'] as Battle

const unit = (name: RegExp) => screen.getByRole('button', { name })
const named = (battle: Battle, id: string) => {
  const one = unitsOf(battle).find((other) => other.id === id)
  if (!one) throw new Error(id)
  return one
}

function facts(battle: Battle, by: string, on: string) {
  const cards = cardsOf(ASSAULT, battle)
  return factsOf(
    battle,
    named(battle, by),
    named(battle, on),
    (one) => profileOf(one.raw, cards),
    terrainOf(ASSAULT, battle),
  )
}

describe('figures', () => {
  test('cards of the battle go before the shipped ones, and what a unit says before its card', () => {
    const battle = BATTLES['our own figures'] as Battle
    const cards = cardsOf(ASSAULT, battle)
    expect(cards.get('lorry')).toMatchObject({ kind: 'vehicle', strength: 2 })
    expect(profileOf(named(battle, 'partisans').raw, cards)).toMatchObject({
      kind: 'infantry',
      strength: 3,
      infantry: [
        { range: '1-2', dice: 'YYG' },
        { range: '3-5', dice: 'GG' },
      ],
    })
  })

  test('a unit bears each sign once, with all that it says', () => {
    const now = { status: 'suppressed', fired_this_turn: true, activated: true }
    expect(marksOf({ ...named(RIDGE, 'sherman'), now })).toEqual([
      { sign: 'down', says: 'suppressed' },
      { sign: 'burst', says: 'has fired, was activated' },
    ])
  })

  test('terrain is known under all its names', () => {
    const terrain = terrainOf(ASSAULT, RIDGE)
    expect(terrain.get('heavy forest')).toMatchObject({ obstruction: 'blocks', height: 1 })
    expect(terrain.get('heavy forest')?.dice).toContainEqual({ range: 'infantry', dice: 'GYY' })
    expect([...terrain.keys()]).toContain('bunker')
    expect(terrain.get('clear')).toMatchObject({ obstruction: 'none', height: 0 })
  })

  test('bands and letters', () => {
    expect([isInBand('1-3', 3), isInBand('1-3', 4), isInBand('2', 2)]).toEqual([true, false, true])
    expect(diceOf('YRG')).toEqual(['red', 'yellow', 'green'])
  })
})

describe('the facts of an attack', () => {
  test('come from the file where it has them', () => {
    expect(formatFacts(facts(FOREST, 'rifles', 'HMG'))).toBe(
      '3 hexes away · line of sight clear · terrain light forest',
    )
  })

  test('come from the map: brush and smoke hinder, the flank is struck, the target is out of arc', () => {
    const known = facts(RIDGE, 'sherman', 'panzer')
    expect(known.sight.met.map(({ tile }) => tile)).toEqual([
      [5, 5],
      [6, 5],
    ])
    expect(formatFacts(known)).toBe(
      '6 hexes away · line of sight hindered by 2 · terrain rocky · strikes the flank · out of its arc',
    )
    expect(lineOf(known)).toBe('hindered')
  })

  test('a wood between blocks', () => {
    expect(lineOf(facts(withGround(RIDGE, [7, 5], { terrain: 'heavy forest' }), 'sherman', 'panzer'))).toBe(
      'blocked',
    )
  })

  test('indirect fire needs no line of sight', () => {
    const known = facts(BATTLES['mortar on a tank'] as Battle, 'mortar', 'panzer')
    expect([lineOf(known), formatFacts(known)]).toEqual([
      'call',
      '6 hexes away · indirect fire · terrain clear',
    ])
  })
})

describe('the map', () => {
  test.each(Object.entries(BATTLES))('shows every unit of %s', (_, battle) => {
    given(Battlefield, ASSAULT, battle)
    for (const { id } of unitsOf(battle)) expect(unit(new RegExp(`^${id},`))).toBeTruthy()
  })

  test('names a unit in full', () => {
    given(Battlefield, ASSAULT, RIDGE)
    expect(unit(/^panzer/).getAttribute('aria-label')).toBe(
      'panzer, GE vehicle, strength 4 of 4, regular, suppressed, facing north, is the target, column 9, row 5',
    )
  })

  test('draws the terrain, the facings and the hexes that hinder', () => {
    const { container } = given(Battlefield, ASSAULT, RIDGE)
    expect(container.querySelectorAll('.tile')).toHaveLength(3)
    expect(container.querySelectorAll('.facing')).toHaveLength(2)
    expect(container.querySelectorAll('.met')).toHaveLength(2)
    expect(container.querySelector('.sight')?.textContent).toBe('hindered by 2')
  })

  test('draws joint fire from the friend', () => {
    const { container } = given(Battlefield, ASSAULT, BUNKER)
    expect(container.querySelectorAll('.over .call')).toHaveLength(1)
  })

  test('without a map, a strip of hexes is as long as the range', () => {
    const units = unitsOf(FOREST)
    const grid = gridOf(FOREST, units)
    expect(grid.last).toEqual([4, 1])
    expect(Object.fromEntries(stripTiles(FOREST, units, grid))).toEqual({
      'units[0]': [1, 1],
      'units[1]': [4, 1],
    })
  })

  test('shows dice that were gathered by hand', () => {
    given(Battlefield, ASSAULT, BATTLES['dice in hand'] as Battle)
    expect(screen.getByRole('img', { name: 'red, red, yellow' })).toBeTruthy()
    expect(screen.getByRole('img', { name: 'yellow, green' })).toBeTruthy()
  })

  test('shows the card of the picked unit with the band that counts', () => {
    const { container } = given(Battlefield, ASSAULT, FOREST, { picked: 'units[0]' })
    expect(container.querySelector('.now')?.textContent).toContain('1-3')
  })

  test('shows what became of everything', () => {
    const moment = {
      units: {
        rifles: { damage: 0, status: 'none', immobilized: false },
        HMG: { damage: 3, status: 'eliminated', immobilized: false },
      },
    }
    given(Battlefield, ASSAULT, FOREST, { moment, readonly: true })
    expect(unit(/^HMG, GE infantry, eliminated/)).toBeTruthy()
  })

  test('a fallback is drawn where it leads', () => {
    const units = { panzer: { damage: 2, status: 'fallback', immobilized: false, at: [11, 4] } }
    const { container } = given(Battlefield, ASSAULT, RIDGE, { moment: { units }, readonly: true })
    expect(unit(/^panzer.*strength 2 of 4.*falling back.*column 11, row 4/)).toBeTruthy()
    expect(container.querySelectorAll('.over .push')).toHaveLength(1)
  })
})

describe('changes', () => {
  test('Enter on the attacker and on an enemy aims', async () => {
    const { battle } = given(Battlefield, ASSAULT, RIDGE)
    await fireEvent.keyDown(unit(/^crew/), { key: 'Enter' })
    await fireEvent.keyDown(unit(/^sherman/), { key: 'Enter' })
    expect(battle().attack).toEqual({ fire: 'turret_firing', by: 'crew', on: 'sherman' })
  })

  test('a unit turns by keys and by buttons', async () => {
    const { battle } = given(Battlefield, ASSAULT, RIDGE, { picked: 'units[0]' })
    await fireEvent.keyDown(unit(/^sherman/), { key: ']' })
    expect(named(battle(), 'sherman').raw.facing).toBe('northeast')
    await fireEvent.click(screen.getByRole('button', { name: 'Turn right' }))
    expect(named(battle(), 'sherman').raw.facing).toBe('southeast')
    await fireEvent.click(screen.getByRole('button', { name: 'Turn left' }))
    expect(named(battle(), 'sherman').raw.facing).toBe('northeast')
  })

  test('a unit is moved, hurt and removed by keys', async () => {
    const { battle } = given(Battlefield, ASSAULT, RIDGE)
    await fireEvent.keyDown(unit(/^crew/), { key: 'ArrowUp', shiftKey: true })
    expect(named(battle(), 'crew').at).toEqual([10, 4])
    await fireEvent.keyDown(unit(/^crew/), { key: '+' })
    expect(named(battle(), 'crew').raw.damage).toBe(1)
    await fireEvent.keyDown(unit(/^crew/), { key: 'Delete' })
    expect(unitsOf(battle()).map(({ id }) => id)).toEqual(['sherman', 'panzer'])
  })

  test('the ground of a hex is changed, and clear ground is not listed', async () => {
    const { battle } = given(Battlefield, ASSAULT, RIDGE)
    await fireEvent.click(screen.getByRole('button', { name: 'Add a unit' }))
    await fireEvent.input(screen.getByLabelText('column, tile'), { target: { value: '5' } })
    await fireEvent.input(screen.getByLabelText('row, tile'), { target: { value: '5' } })
    await fireEvent.change(screen.getByLabelText('terrain, hex'), { target: { value: 'light forest' } })
    expect(hexesOf(battle())[0]).toMatchObject({ at: [5, 5], terrain: 'light forest' })
    await fireEvent.change(screen.getByLabelText('terrain, hex'), { target: { value: 'clear' } })
    expect(hexesOf(battle()).map(({ at }) => at)).toEqual([
      [6, 5],
      [9, 5],
    ])
    await fireEvent.click(screen.getByRole('button', { name: 'more: elevation' }))
    expect(hexesOf(battle()).at(-1)).toMatchObject({ at: [5, 5], terrain: 'clear', elevation: 1 })
  })

  test('a unit is added with a card, and shown on the strip', async () => {
    const { battle } = given(Battlefield, ASSAULT, FOREST)
    await fireEvent.click(screen.getByRole('button', { name: 'Add a unit' }))
    await fireEvent.click(screen.getByRole('button', { name: 'Add medium tank' }))
    expect(unitsOf(battle()).at(-1)?.raw).toEqual({ id: 'medium tank', side: 'us', card: 'medium tank' })
    expect(unit(/^medium tank, US vehicle/)).toBeTruthy()
  })

  test('on the strip, moving the target changes the range', async () => {
    const { battle } = given(Battlefield, ASSAULT, FOREST)
    await fireEvent.keyDown(unit(/^HMG/), { key: 'ArrowLeft', shiftKey: true })
    expect(battle().attack).toMatchObject({ range: 2 })
  })

  test('what may be spotted is rolled, or fixed', async () => {
    const { battle } = given(Battlefield, ASSAULT, FOREST)
    await fireEvent.change(screen.getByLabelText('spotted'), { target: { value: '2' } })
    expect(battle().attack).toMatchObject({ spotted: false })
    await fireEvent.change(screen.getByLabelText('spotted'), { target: { value: '0' } })
    expect(battle().attack).not.toHaveProperty('spotted')
  })

  test('a battle is put on a map and taken off it again', () => {
    const map = addMap(FOREST, unitsOf(FOREST))
    expect(facts(map, 'rifles', 'HMG')).toMatchObject({ range: 3, terrain: 'light forest' })
    const back = removeMap(map, unitsOf(map))
    expect([back.board, back.attack]).toEqual([
      undefined,
      { range: 3, terrain: 'light forest', by: 'rifles', on: 'HMG' },
    ])
  })

  test('a unit that is not on the map can be picked', async () => {
    const { pick } = given(Battlefield, ASSAULT, {
      ...RIDGE,
      units: [...(RIDGE.units as []), { id: 'lost', side: 'us', card: 'US Rifles 43' }],
    })
    await fireEvent.click(screen.getByRole('button', { name: 'lost' }))
    expect(pick).toHaveBeenLastCalledWith('units[3]')
  })
})
