import { fireEvent, screen } from '@testing-library/svelte'
import { describe, expect, test } from 'vitest'

import type { Battle } from '../../lib/types'
import { unitsOf } from '../shared/units'
import { given } from '../../testing/given'
import { battlesOf, systemOf } from '../../testing/examples'
import { directionOf, gridOf, moves, pushLine } from './board'
import Battlefield from './Battlefield.svelte'

const TOWER = systemOf('tower')
const BATTLES = battlesOf('tower')

const COLUMN = BATTLES['shoulder to shoulder'] as Battle
const HEXES = BATTLES.hexes as Battle

const unit = (name: RegExp) => screen.getByRole('button', { name })
const named = (battle: Battle, id: string) => {
  const unit = unitsOf(battle).find((one) => one.id === id)
  if (!unit) throw new Error(id)
  return unit
}

describe('the board', () => {
  test.each(Object.entries(BATTLES))('shows every unit and all capitals of %s', (_, battle) => {
    const { container } = given(Battlefield, TOWER, battle)
    for (const { id } of unitsOf(battle)) expect(unit(new RegExp(`^${id},`))).toBeTruthy()
    const { capitals = {} } = battle.board as { capitals?: object }
    expect(container.querySelectorAll('.capital')).toHaveLength(Object.keys(capitals).length)
  })

  test('names a unit in full, with its home', () => {
    given(Battlefield, TOWER, BATTLES['storm the capital'] as Battle)
    expect(unit(/^hero/).getAttribute('aria-label')).toBe(
      'hero, Blue hero, health 5 of 5, attack 3, defense 3, speed 2, range 0, is the target, column 18, row 18, in the capital of Blue',
    )
  })

  test('has hexes where the switch says so', () => {
    expect([gridOf(COLUMN).shape, gridOf(HEXES).shape]).toEqual(['squares', 'hexes'])
  })

  test('shows all tiles within that distance as the range', () => {
    const { container } = given(Battlefield, TOWER, BATTLES['long shot'] as Battle, { picked: 'units[3]' })
    expect(container.querySelectorAll('.range')).toHaveLength(24)
  })
})

describe('a push', () => {
  test('goes from attacker to target along the longer axis', () => {
    expect(directionOf(COLUMN, named(COLUMN, 'ram'), named(COLUMN, 'front'))).toBe('east')
    expect(directionOf(HEXES, named(HEXES, 'left'), named(HEXES, 'warden'))).toBeNull()
    expect(directionOf(HEXES, named(HEXES, 'hero'), named(HEXES, 'warden'))).toBe('east')
  })

  test('goes where the file says', () => {
    const battle = BATTLES['storm the capital'] as Battle
    expect(directionOf(battle, named(battle, 'champion'), named(battle, 'hero'))).toBe('north')
  })

  test('bumps the friends in the way, up to an enemy', () => {
    expect(pushLine(gridOf(COLUMN), unitsOf(COLUMN), named(COLUMN, 'front'), 'east')).toEqual([
      { from: [4, 6], to: [5, 6] },
      { from: [5, 6], to: [6, 6] },
      { from: [6, 6], to: [7, 6] },
    ])
  })

  test('is shown before it happens', () => {
    const { container } = given(Battlefield, TOWER, COLUMN)
    expect(container.querySelectorAll('.perhaps')).toHaveLength(3)
  })

  test('is shown as it happened, with the tiles that were left', () => {
    const moment = {
      units: {
        ram: { health: 4, at: [4, 6] },
        front: { health: 2, at: [5, 6] },
        middle: { health: 3, at: [6, 6] },
        rear: { health: 0, at: null },
        ambush: { health: 3, at: [7, 6] },
      },
    }
    const { container } = given(Battlefield, TOWER, COLUMN, { moment, readonly: true })
    expect(container.querySelectorAll('.left')).not.toHaveLength(0)
    expect(container.querySelectorAll('.over .push')).toHaveLength(3)
    expect(unit(/^rear, Blue, dead/)).toBeTruthy()
    expect(unit(/^front.*health 2 of 4.*column 5, row 6/)).toBeTruthy()
  })

  test('moves whoever is on another tile than in the file', () => {
    const moment = { units: { front: { health: 2, at: [5, 6] }, rear: { health: 0, at: null } } }
    expect(moves(unitsOf(COLUMN, moment))).toEqual([{ from: [4, 6], to: [5, 6] }])
  })
})

describe('changes', () => {
  test('Enter on the attacker and on an enemy aims', async () => {
    const { battle } = given(Battlefield, TOWER, COLUMN)
    await fireEvent.keyDown(unit(/^ambush/), { key: 'Enter' })
    await fireEvent.keyDown(unit(/^rear/), { key: 'Enter' })
    expect(battle().attack).toEqual({ by: 'ambush', on: 'rear' })
  })

  test('arrow keys move on hexes row by row', async () => {
    const { battle } = given(Battlefield, TOWER, HEXES)
    await fireEvent.keyDown(unit(/^left/), { key: 'ArrowUp', shiftKey: true })
    expect(named(battle(), 'left').at).toEqual([8, 3])
  })

  test('nobody is moved off the board', async () => {
    const { change } = given(Battlefield, TOWER, BATTLES['storm the capital'] as Battle)
    await fireEvent.keyDown(unit(/^hero/), { key: 'ArrowDown', shiftKey: true })
    expect(change).not.toHaveBeenCalled()
    expect(screen.getByText('the edge of the board')).toBeTruthy()
  })

  test('a number is changed where it stands, and one that is left out can be given', async () => {
    const { battle } = given(Battlefield, TOWER, COLUMN, { picked: 'units[1]' })
    await fireEvent.click(screen.getByRole('button', { name: 'less: defense' }))
    expect(named(battle(), 'front').raw.defense).toBe(1)
    await fireEvent.input(screen.getByLabelText('full health'), { target: { value: '6' } })
    expect(named(battle(), 'front').raw.full_health).toBe(6)
    await fireEvent.input(screen.getByLabelText('full health'), { target: { value: '' } })
    expect(named(battle(), 'front').raw).not.toHaveProperty('full_health')
  })

  test('a unit is added and removed', async () => {
    const { battle } = given(Battlefield, TOWER, COLUMN)
    await fireEvent.click(screen.getByRole('button', { name: 'Add a unit' }))
    await fireEvent.click(screen.getByRole('button', { name: 'Add Hero' }))
    expect(unitsOf(battle()).at(-1)?.raw).toMatchObject({ id: 'hero', side: 'red', attack: 3 })
    await fireEvent.keyDown(unit(/^hero/), { key: 'Enter' })
    await fireEvent.click(screen.getByRole('button', { name: 'Remove hero' }))
    expect(unitsOf(battle())).toHaveLength(5)
  })

  test('the direction is chosen and left open again', async () => {
    const { battle } = given(Battlefield, TOWER, COLUMN)
    await fireEvent.change(screen.getByLabelText('direction'), { target: { value: '4' } })
    expect(battle().attack).toEqual({ by: 'ram', on: 'front', direction: 'south' })
    await fireEvent.change(screen.getByLabelText('direction'), { target: { value: '' } })
    expect(battle().attack).toEqual({ by: 'ram', on: 'front' })
  })

  test('the board is made larger', async () => {
    const { battle } = given(Battlefield, TOWER, COLUMN)
    await fireEvent.input(screen.getByLabelText('column, size'), { target: { value: '14' } })
    expect(battle().board).toMatchObject({ size: [14, 12] })
  })
})
