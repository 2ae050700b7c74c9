import { fireEvent, screen, within } from '@testing-library/svelte'
import { describe, expect, test } from 'vitest'

import type { Battle } from '../../lib/types'
import { given } from '../../testing/given'
import { battlesOf, systemOf } from '../../testing/examples'
import { armiesOf, addArmy, ordinal, reorderArrivals } from './armies'
import Battlefield from './Battlefield.svelte'

const RANKS = systemOf('ranks')
const BATTLES = battlesOf('ranks')

const FRIENDS = BATTLES['friends of friends'] as Battle

const army = (name: RegExp) => screen.getByRole('button', { name })
const order = (battle: Battle) => armiesOf(battle).map(({ player }) => player)

describe('the Location', () => {
  test.each(Object.entries(BATTLES))('shows every army of %s on its side', (_, battle) => {
    const { container } = given(Battlefield, RANKS, battle)
    const sides = {
      attack: screen.getByRole('region', { name: 'Attacking side' }),
      defend: screen.getByRole('region', { name: 'The Location' }),
    }
    let units = 0
    for (const one of armiesOf(battle)) {
      units += one.units
      expect(
        within(sides[one.side]).getByRole('button', { name: new RegExp(`^${one.player} `) }),
      ).toBeTruthy()
    }
    expect(container.querySelectorAll('.scene .army path')).toHaveLength(units)
  })

  test('names the parts that armies play', () => {
    given(Battlefield, RANKS, FRIENDS)
    expect(army(/^Red 3 units the Attacker, arrives 1st$/)).toBeTruthy()
    expect(army(/^Green 2 units reinforcement, arrives 2nd if its player wants$/)).toBeTruthy()
    expect(army(/^Blue 4 units the Defender$/)).toBeTruthy()
  })

  test('shows what was lost, who holds it and who returns', () => {
    const moment = { armies: { Blue: 3, Red: 1, Green: 2, Yellow: 4 }, possession: 'Blue', returns: ['Red'] }
    const { container } = given(Battlefield, RANKS, FRIENDS, { moment, readonly: true })
    expect(army(/^Red 3 → 1 unit.*returns$/)).toBeTruthy()
    expect(screen.getByText('held by Blue')).toBeTruthy()
    expect(container.querySelectorAll('.fallen')).toHaveLength(3)
  })

  test('an army too large to draw says how many more there are', () => {
    given(Battlefield, RANKS, { system: 'ranks', defender: { player: 'Blue', units: 75 }, arrivals: [] })
    expect(screen.getByText('and 15 more')).toBeTruthy()
    expect(screen.getByText('Nobody attacks yet.')).toBeTruthy()
  })

  test('shows who is held back and who is still to come', () => {
    const players = {
      Red: { arrived: true, held_back: false },
      Green: { arrived: false, held_back: true },
      Yellow: { arrived: false, held_back: false },
    }
    given(Battlefield, RANKS, FRIENDS, { moment: { players }, readonly: true })
    expect(army(/^Green.*held back$/)).toBeTruthy()
    expect(army(/^Yellow.*on its way$/)).toBeTruthy()
  })
})

describe('the round', () => {
  const grip = (player: string) => screen.getByRole('button', { name: new RegExp(`^move ${player},`) })

  test('arrivals are moved with the arrow keys, and the grip keeps the focus', async () => {
    const { battle } = given(Battlefield, RANKS, FRIENDS)
    grip('Red').focus()
    await fireEvent.keyDown(grip('Red'), { key: 'ArrowDown' })
    expect(order(battle())).toEqual(['Blue', 'Green', 'Red', 'Yellow'])
    await expect.poll(() => document.activeElement).toBe(grip('Red'))
    expect(screen.getByText('Red now arrives 2nd')).toBeTruthy()
  })

  test('the first stays first', async () => {
    const { change } = given(Battlefield, RANKS, FRIENDS)
    await fireEvent.keyDown(grip('Red'), { key: 'ArrowUp' })
    expect(change).not.toHaveBeenCalled()
  })

  test('an arrival is dragged to its turn', async () => {
    const { battle, container } = given(Battlefield, RANKS, FRIENDS)
    const rows = [...container.querySelectorAll<HTMLElement>('.arrival')]
    rows.forEach((row, place) => {
      row.getBoundingClientRect = () => ({ top: 100 * place, height: 100 }) as DOMRect
    })
    await fireEvent.pointerDown(grip('Red'), { button: 0, clientY: 50 })
    await fireEvent.pointerMove(grip('Red'), { clientY: 290 })
    await fireEvent.pointerUp(grip('Red'))
    expect(order(battle())).toEqual(['Blue', 'Green', 'Yellow', 'Red'])
  })

  test('numbers, names, sides and the right to stay away are changed where they stand', async () => {
    const { battle } = given(Battlefield, RANKS, FRIENDS)
    await fireEvent.click(screen.getByRole('button', { name: 'more: units, Blue' }))
    expect(battle().defender).toEqual({ player: 'Blue', units: 5 })
    const green = screen.getByRole('radiogroup', { name: 'side of Green' })
    await fireEvent.click(within(green).getByLabelText('attacks'))
    await fireEvent.click(screen.getByLabelText('optional, Green'))
    expect(armiesOf(battle())[2]).toMatchObject({ player: 'Green', side: 'attack', optional: false })
    await fireEvent.change(screen.getByLabelText('arrives 2nd'), { target: { value: 'Orange' } })
    expect(order(battle())).toEqual(['Blue', 'Red', 'Orange', 'Yellow'])
  })

  test('armies are added and removed', async () => {
    const { battle } = given(Battlefield, RANKS, FRIENDS)
    await fireEvent.click(screen.getByRole('button', { name: 'Add an army' }))
    expect(order(battle())).toEqual(['Blue', 'Red', 'Green', 'Yellow', 'Black'])
    await fireEvent.click(screen.getByRole('button', { name: 'remove Red' }))
    await fireEvent.keyDown(grip('Yellow'), { key: 'Delete' })
    expect(order(battle())).toEqual(['Blue', 'Green', 'Black'])
  })

  test('a fault is shown at its army', () => {
    const faults = [{ place: 'arrivals[1].player', message: '"Green" is already there' }]
    given(Battlefield, RANKS, FRIENDS, { faults })
    expect(screen.getByText('"Green" is already there')).toBeTruthy()
    expect(army(/^Green.*has a fault/)).toBeTruthy()
  })

  test('cannot be changed while it is only to be read', () => {
    given(Battlefield, RANKS, FRIENDS, { readonly: true })
    expect(screen.queryByRole('button', { name: 'Add an army' })).toBeNull()
  })
})

test('the first arrival that attacks is the Attacker', () => {
  const armies = armiesOf(BATTLES['all guns speak'] as Battle)
  expect(armies.filter((one) => one.isAttacker).map(({ player }) => player)).toEqual(['Red'])
})

test('a place that is no turn changes nothing', () => {
  expect(reorderArrivals(FRIENDS, 0, 9)).toBe(FRIENDS)
})

test('a Location that nobody holds is given a Defender first', () => {
  expect(addArmy({ system: 'ranks', arrivals: [] }).defender).toEqual({ player: 'Red', units: 2 })
})

test('ordinals', () => {
  expect([1, 2, 3, 4, 11, 12, 13, 21].map(ordinal)).toEqual([
    '1st',
    '2nd',
    '3rd',
    '4th',
    '11th',
    '12th',
    '13th',
    '21st',
  ])
})
