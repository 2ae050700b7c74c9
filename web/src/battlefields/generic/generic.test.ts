import { fireEvent, screen, within } from '@testing-library/svelte'
import { describe, expect, test } from 'vitest'

import { Looks } from '../../lib/sides'
import type { Battle } from '../../lib/types'
import { loadBattlefield } from '..'
import { battlesOf, systemOf } from '../../testing/examples'
import { given } from '../../testing/given'
import { field, listOf, maybe, named, number, optional, system, table, text } from '../../testing/fields'
import Battlefield from './Battlefield.svelte'

const [SUPPLY, FRAMES] = [systemOf('supply'), systemOf('frames')]
const [BATTLES, FRAMES_BATTLES] = [battlesOf('supply'), battlesOf('frames')]
const GUNS = BATTLES['guns on rifles'] as Battle

describe('any system', () => {
  test.each([...Object.entries(BATTLES), ...Object.entries(FRAMES_BATTLES)])(
    'shows %s as a form',
    (_, battle) => {
      given(Battlefield, battle.system === 'supply' ? SUPPLY : FRAMES, battle)
      expect(screen.getAllByRole('group').length).toBeGreaterThan(1)
    },
  )

  test('numbers, texts and choices are changed where they stand', async () => {
    const { battle } = given(Battlefield, SUPPLY, GUNS)
    await fireEvent.click(screen.getByRole('button', { name: 'more: strength, units 1' }))
    await fireEvent.change(screen.getByLabelText('id, units 2'), { target: { value: 'guards' } })
    await fireEvent.change(screen.getByLabelText('die, units 2'), { target: { value: '2' } })
    expect(battle().units).toMatchObject([{ strength: 5 }, { id: 'guards', die: 8 }])
  })

  test('entries are added, moved and removed', async () => {
    const { battle } = given(Battlefield, SUPPLY, GUNS)
    await fireEvent.click(screen.getByRole('button', { name: 'down: units 1' }))
    expect(battle().units).toMatchObject([{ id: 'rifles' }, { id: 'guns' }])
    await fireEvent.click(screen.getByRole('button', { name: 'remove units 1' }))
    expect(battle().units).toMatchObject([{ id: 'guns' }])
    await fireEvent.click(screen.getByRole('button', { name: 'Add' }))
    expect(battle().units).toMatchObject([{ id: 'guns' }, { id: 'militia', die: 4 }])
  })

  test('an optional table is added and removed, a named entry too', async () => {
    const ours = system('ours', [
      optional('weather', maybe(table(field('rain', number())))),
      optional('scores', named(number()), {}),
      optional('notes', listOf(text), []),
    ])
    const { battle } = given(Battlefield, ours, { system: 'ours' })
    await fireEvent.click(screen.getByRole('button', { name: 'Add weather' }))
    expect(battle().weather).toEqual({ rain: 0 })
    await fireEvent.click(screen.getByRole('button', { name: 'Remove weather' }))
    expect(battle()).not.toHaveProperty('weather')
    await fireEvent.change(screen.getByLabelText('a new name, scores'), { target: { value: 'Mina' } })
    await fireEvent.click(screen.getByRole('button', { name: 'Add to scores' }))
    expect(battle().scores).toEqual({ Mina: 0 })
  })

  test('a value of several kinds changes its kind', async () => {
    const ours = system('ours', [field('stations', { kind: 'either', of: [number(), listOf(text)] })])
    const { battle } = given(Battlefield, ours, { system: 'ours', stations: 2 })
    await fireEvent.change(screen.getByLabelText('kind, stations'), { target: { value: '1' } })
    expect(battle().stations).toEqual([])
  })

  test('faults are shown at their places', () => {
    const faults = [
      { place: 'units[0].strength', message: 'is too weak' },
      { place: 'units[1]', message: 'is nobody' },
    ]
    given(Battlefield, SUPPLY, GUNS, { faults })
    expect(screen.getByText('is too weak')).toBeTruthy()
    expect(screen.getByText('is nobody')).toBeTruthy()
  })

  test('nothing can be changed while it is only to be read, and the moment is shown', () => {
    const moment = { units: { guns: { strength: 3, fired: true, side: 'red', role: 'attacker' } } }
    given(Battlefield, SUPPLY, GUNS, { readonly: true, moment })
    expect((screen.getByLabelText('strength, units 1') as HTMLInputElement).disabled).toBe(true)
    const units = within(screen.getByRole('region', { name: 'units' }))
    expect(units.getByRole('listitem').textContent?.replaceAll(/\s+/g, ' ')).toBe(
      'guns red, attacker 3 strength fired ',
    )
  })

  test('what a moment says of the sides stands with each of them, drawn in its colour and shape', () => {
    const moment = { armies: { Red: 3, Blue: 0 }, players: { Red: { side: 'Red' }, Blue: { side: 'Blue' } } }
    const looks = new Looks(['Blue', 'Red'])
    given(Battlefield, system('ours', []), { system: 'ours' }, { readonly: true, moment, looks })
    const cards = within(screen.getByRole('region', { name: 'players' })).getAllByRole('listitem')
    expect(cards.map((card) => card.textContent?.replaceAll(/\s+/g, ' ').trim())).toEqual([
      'Red 3 armies',
      'Blue 0 armies',
    ])
    expect(cards.map((card) => card.querySelectorAll('.tokens > .square').length)).toEqual([3, 0])
    expect(cards[0]?.style.getPropertyValue('--side')).toBe('var(--text-red, var(--side-red))')
  })

  test('sides that nothing else belongs to have cards of their own', () => {
    const looks = new Looks(['Red', 'Blue'])
    const moment = { armies: { Red: 3, Blue: 1 } }
    given(Battlefield, system('ours', []), { system: 'ours' }, { readonly: true, moment, looks })
    const sides = within(screen.getByRole('region', { name: 'sides' }))
    expect(sides.getAllByRole('listitem')).toHaveLength(2)
  })
})

test('a system with a folder of its own has its battlefield, any other the generic one', async () => {
  const generic = await loadBattlefield('generic')
  expect(await loadBattlefield('a sixth system')).toBe(generic)
  expect(await loadBattlefield('supply')).not.toBe(generic)
})
