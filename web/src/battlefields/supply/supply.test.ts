import { fireEvent, screen, within } from '@testing-library/svelte'
import { describe, expect, test } from 'vitest'

import type { Battle } from '../../lib/types'
import { unitsOf } from '../shared/units'
import { given } from '../../testing/given'
import { gridAround } from './board'
import Battlefield from './Battlefield.svelte'
import { battlesOf, systemOf } from '../../testing/examples'

const SUPPLY = systemOf('supply')
const BATTLES = battlesOf('supply')

const CALL_IN = BATTLES['call in'] as Battle

const unit = (name: RegExp) => screen.getByRole('button', { name })

describe('the board', () => {
  test.each(Object.entries(BATTLES))('shows every unit of %s', (_, battle) => {
    given(Battlefield, SUPPLY, battle)
    const board = screen.getByRole('group', { name: /^Board/ })
    for (const { id } of unitsOf(battle)) {
      expect(within(board).getByRole('button', { name: new RegExp(`^${id},`) })).toBeTruthy()
    }
  })

  test('names a unit in full', () => {
    given(Battlefield, SUPPLY, BATTLES['guns on rifles'] as Battle)
    expect(unit(/^guns/).getAttribute('aria-label')).toBe(
      'guns, Red artillery, strength 4, d8, 3 supply, attacks, column 2, row 3',
    )
  })

  test('shows the range of the picked unit', () => {
    const { container } = given(Battlefield, SUPPLY, BATTLES.picket as Battle, { picked: 'units[0]' })
    expect(container.querySelectorAll('.range')).toHaveLength(2)
  })

  test('leads a Call In through the unit that spots', () => {
    const { container } = given(Battlefield, SUPPLY, BATTLES['out of ammunition'] as Battle)
    expect(container.querySelectorAll('.over .call')).toHaveLength(1)
    expect(container.querySelectorAll('.over .attack')).toHaveLength(1)
    expect(screen.getByText(/called in by the/)).toBeTruthy()
  })

  test('has one way in for the Tab key', () => {
    given(Battlefield, SUPPLY, CALL_IN)
    const board = screen.getByRole('group', { name: /^Board/ })
    const open = within(board)
      .getAllByRole('button')
      .filter((one) => one.getAttribute('tabindex') === '0')
    expect(open).toHaveLength(1)
  })

  test('says so when nobody attacks', () => {
    given(Battlefield, SUPPLY, { system: 'supply', units: CALL_IN.units })
    expect(screen.getByText('No attack yet.')).toBeTruthy()
  })
})

describe('with the keyboard', () => {
  test('Enter picks the attacker, arrow keys lead to the target, Enter aims', async () => {
    const { battle } = given(Battlefield, SUPPLY, CALL_IN)
    const mortar = unit(/^mortar/)
    mortar.focus()
    await fireEvent.keyDown(mortar, { key: 'Enter' })
    expect(mortar.getAttribute('aria-pressed')).toBe('true')
    await fireEvent.keyDown(mortar, { key: 'ArrowDown' })
    expect(document.activeElement).toBe(unit(/^rifles/))
    await fireEvent.keyDown(unit(/^rifles/), { key: 'ArrowDown' })
    expect(document.activeElement).toBe(unit(/^guards/))
    await fireEvent.keyDown(unit(/^guards/), { key: 'Enter' })
    expect(battle().attack).toEqual({ by: 'mortar', on: 'guards' })
  })

  test('with Shift, arrow keys move a unit, and not onto another', async () => {
    const { battle, change } = given(Battlefield, SUPPLY, BATTLES.picket as Battle)
    const scouts = unit(/^scouts/)
    await fireEvent.keyDown(scouts, { key: 'ArrowDown', shiftKey: true })
    expect(change).not.toHaveBeenCalled()
    await fireEvent.keyDown(scouts, { key: 'ArrowRight', shiftKey: true })
    expect(unitsOf(battle())[0]?.at).toEqual([2, 1])
    expect(screen.getByText('moved to column 2, row 1')).toBeTruthy()
  })

  test('Delete removes a unit, and its part in the attack', async () => {
    const { battle } = given(Battlefield, SUPPLY, CALL_IN)
    await fireEvent.keyDown(unit(/^guards/), { key: 'Delete' })
    expect(unitsOf(battle()).map(({ id }) => id)).toEqual(['rifles', 'mortar', 'howitzers'])
    expect(battle().attack).toEqual({ by: 'rifles' })
  })

  test('+ and − change the strength', async () => {
    const { battle } = given(Battlefield, SUPPLY, CALL_IN)
    await fireEvent.keyDown(unit(/^rifles/), { key: '+' })
    expect(unitsOf(battle())[0]?.raw.strength).toBe(5)
    await fireEvent.keyDown(unit(/^rifles/), { key: '-' })
    expect(unitsOf(battle())[0]?.raw.strength).toBe(4)
  })

  test('nothing can be changed while it is only to be read', async () => {
    const { change } = given(Battlefield, SUPPLY, CALL_IN, { readonly: true })
    for (const key of ['Delete', '+', 'ArrowRight']) await fireEvent.keyDown(unit(/^rifles/), { key })
    expect(change).not.toHaveBeenCalled()
    expect(screen.queryByText('Add a unit')).toBeNull()
  })
})

describe('with the mouse', () => {
  test('a click on the attacker and one on an enemy aim', async () => {
    const { battle } = given(Battlefield, SUPPLY, CALL_IN)
    await fireEvent.click(unit(/^howitzers/))
    await fireEvent.click(unit(/^guards/))
    expect(battle().attack).toEqual({ by: 'howitzers', on: 'guards' })
  })

  test('a click on a friend picks the friend', async () => {
    const { pick, change } = given(Battlefield, SUPPLY, CALL_IN)
    await fireEvent.click(unit(/^howitzers/))
    await fireEvent.click(unit(/^mortar/))
    expect(pick).toHaveBeenLastCalledWith('units[1]')
    expect(change).not.toHaveBeenCalled()
  })
})

describe('beside the board', () => {
  test('a number of the picked unit is changed where it stands', async () => {
    const { battle } = given(Battlefield, SUPPLY, CALL_IN, { picked: 'units[3]' })
    await fireEvent.click(screen.getByRole('button', { name: 'more: strength' }))
    expect(unitsOf(battle())[3]?.raw.strength).toBe(6)
    await fireEvent.input(screen.getByLabelText('supply'), { target: { value: '9' } })
    expect(unitsOf(battle())[3]?.raw.supply).toBe(9)
  })

  test('a mark that is taken back is gone from the battle', async () => {
    const { battle } = given(Battlefield, SUPPLY, BATTLES['tired defenders'] as Battle, {
      picked: 'units[0]',
    })
    await fireEvent.click(screen.getByLabelText('countered'))
    expect(unitsOf(battle())[0]?.raw).not.toHaveProperty('countered')
  })

  test('a unit is added from the roster, and the choice is remembered', async () => {
    const { battle } = given(Battlefield, SUPPLY, CALL_IN)
    await fireEvent.click(screen.getByRole('button', { name: 'Add a unit' }))
    await fireEvent.click(screen.getByLabelText('blue'))
    await fireEvent.click(screen.getByRole('button', { name: 'Add mortar' }))
    expect(unitsOf(battle()).at(-1)?.raw).toMatchObject({
      id: 'mortar 2',
      side: 'blue',
      die: 8,
      indirect: true,
    })
    await fireEvent.click(screen.getByRole('button', { name: 'Add a unit' }))
    const [first] = within(screen.getByRole('group', { name: 'Roster' })).getAllByRole('button')
    expect([first?.textContent, screen.getByLabelText<HTMLInputElement>('blue').checked]).toEqual([
      'Mortar',
      true,
    ])
  })

  test('two units on an empty map aim at each other', async () => {
    const { battle } = given(Battlefield, SUPPLY, { system: 'supply', units: [], attack: {} })
    for (const side of ['red', 'blue']) {
      await fireEvent.click(screen.getByRole('button', { name: 'Add a unit' }))
      await fireEvent.click(screen.getByLabelText(side))
      await fireEvent.click(screen.getByRole('button', { name: 'Add rifles' }))
    }
    expect(battle().attack).toEqual({ by: 'rifles', on: 'rifles 2' })
  })

  test('the attack is fixed by choices', async () => {
    const { battle } = given(Battlefield, SUPPLY, CALL_IN)
    await fireEvent.change(screen.getByLabelText('through'), { target: { value: 'howitzers' } })
    expect(battle().attack).toEqual({ by: 'rifles', on: 'guards', through: 'howitzers' })
    await fireEvent.change(screen.getByLabelText('through'), { target: { value: '' } })
    expect(battle().attack).toEqual({ by: 'rifles', on: 'guards' })
  })

  test('a fault is shown at its field, and on the counter', () => {
    const faults = [{ place: 'units[0].strength', message: 'expected a whole number ≥ 1' }]
    const { container } = given(Battlefield, SUPPLY, CALL_IN, { picked: 'units[0]', faults })
    expect(screen.getByLabelText('strength').getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByText('expected a whole number ≥ 1')).toBeTruthy()
    expect(container.querySelectorAll('.warning')).toHaveLength(1)
  })
})

describe('a moment of the play', () => {
  const GUNS = BATTLES['guns on rifles'] as Battle
  const units = {
    guns: { strength: 4, supply: 2, fired: true, countered: false, at: [2, 3] },
    rifles: { strength: 2, supply: 0, fired: false, countered: true, at: [4, 3] },
  }

  test('in a counterattack the arrow goes back', () => {
    const shot = { by: 'rifles', on: 'guns' }
    given(Battlefield, SUPPLY, GUNS, { moment: { units }, shot, readonly: true })
    expect(unit(/^rifles.*strength 2.*0 supply.*has counterattacked, attacks/)).toBeTruthy()
    expect(unit(/^guns.*2 supply, has fired, is the target/)).toBeTruthy()
    expect(screen.getByText('Blue rifles').parentElement?.textContent).toContain('counterattack')
  })

  test('a unit that is called in fires, and its caller is shown', () => {
    const shot = { by: 'mortar', on: 'guards' }
    const { container } = given(Battlefield, SUPPLY, CALL_IN, { moment: { units: {} }, shot, readonly: true })
    expect(unit(/^mortar.*attacks/)).toBeTruthy()
    expect(unit(/^rifles.*calls in fire/)).toBeTruthy()
    expect(container.querySelectorAll('.over .call')).toHaveLength(1)
  })

  test('"rifles" and "rifles 2" are kept apart', () => {
    const two = {
      ...GUNS,
      units: [...(GUNS.units as []), { id: 'rifles 2', side: 'blue', strength: 3, die: 6, at: [5, 3] }],
    }
    const moment = { units: { ...units, 'rifles 2': { strength: 1, supply: 4, at: [5, 3] } } }
    given(Battlefield, SUPPLY, two, { moment, readonly: true })
    expect(unit(/^rifles,.*strength 2,/)).toBeTruthy()
    expect(unit(/^rifles 2,.*strength 1,.*4 supply/)).toBeTruthy()
  })
})

describe('the part of the map that is drawn', () => {
  test('begins in the corner and has room for a step beyond every unit', () => {
    const grid = gridAround(
      [
        [2, 3],
        [9, 7],
      ],
      false,
      [2, 3],
    )
    expect([grid.first, grid.last]).toEqual([
      [1, 1],
      [10, 8],
    ])
  })

  test('begins further in where all units are far from the corner', () => {
    const grid = gridAround([[101, 50]], false, [101, 50])
    expect([grid.first, grid.last]).toEqual([
      [100, 49],
      [106, 53],
    ])
  })

  test('leaves out units that are absurdly far away', () => {
    expect(
      gridAround(
        [
          [1, 1],
          [100000, 1],
        ],
        false,
        [1, 1],
      ).last,
    ).toEqual([7, 5])
  })
})
