import { fireEvent, render, screen, waitFor } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import '@testing-library/jest-dom/vitest'

import { Live, keepLive } from '../lib/live.svelte'
import type { LiveState } from '../lib/types'
import genuine from '../testing/fair-log.json'
import { serve } from '../testing/server'
import * as supply from '../testing/supply'
import FairDice from './FairDice.svelte'
import LivePlay from './LivePlay.svelte'

const state = (more: Partial<LiveState> = {}): LiveState => ({
  ...supply.play([]),
  id: 'abc',
  side: 'red',
  role: 'attacker',
  entries: 3,
  system: 'supply',
  battle: supply.battle,
  options: { dice: 'fair', advice: true, names: { red: 'Anna', blue: 'Ben' } },
  number: 1,
  question: supply.rollQuestion,
  can_answer: true,
  can_undo: false,
  events: [supply.paid],
  moves: [],
  result: null,
  after: null,
  fair: { commitment: genuine.fair.commitment, numbers: { red: true, blue: true }, secret: null },
  next: null,
  ended: null,
  clock: { proposed: {}, seconds: null, left: null },
  ...more,
})

const show = (state: LiveState) => {
  const live = new Live('abc', 'secret')
  live.state = state
  render(LivePlay, {
    live,
    state,
    system: supply.system,
    title: 'Guns',
    assumptions: { attacker: 'best', defender: 'best', objective: 'swing' },
    setUpNext: vi.fn(),
    step: null,
    show: vi.fn(),
  })
}

beforeEach(() => {
  localStorage.clear()
  keepLive({ id: 'abc', key: 'secret', title: '', side: 'red', witnessed: {}, touched: 0 })
})
afterEach(() => void vi.unstubAllGlobals())

describe('who is asked', () => {
  test('can answer, and names the question that is meant', async () => {
    const asked = serve({ '/api/battles/abc/answers': () => state({ entries: 4 }) })
    show(state())
    await fireEvent.click(screen.getByRole('button', { name: 'Roll the dice' }))
    expect(asked).toMatchObject([
      { path: '/api/battles/abc/answers?since=3', body: { number: 1, roll: 'fair' } },
    ])
  })

  test('others see for whom the battle waits, and have nothing to press', () => {
    show(state({ question: supply.counterQuestion, can_answer: false }))
    expect(screen.getByText('Waiting for Ben.')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Yes' })).toBeNull()
  })

  test('cannot roll before both numbers are in', () => {
    const fair = { commitment: 'c', numbers: { red: true, blue: false }, secret: null }
    show(state({ fair }))
    expect(screen.getByRole('button', { name: 'Roll the dice' })).toBeDisabled()
    expect(screen.getByText('Waiting for the number of Ben.')).toBeVisible()
  })
})

test('a player who has added no number is asked for one first', async () => {
  const asked = serve({ '/api/battles/abc/numbers': () => state() })
  show(state({ fair: { commitment: 'c0ffee', numbers: { red: false, blue: true }, secret: null } }))
  expect(screen.getByText('c0ffee')).toBeVisible()
  await fireEvent.input(screen.getByLabelText('Your number, or any text'), { target: { value: '42' } })
  await fireEvent.click(screen.getByRole('button', { name: 'Add my number' }))
  expect(asked[0]?.body).toEqual({ number: '42' })
})

test('conceding is asked about first, and the end is announced', async () => {
  const ended = { how: 'conceded' as const, side: 'red' }
  const asked = serve({ '/api/battles/abc/concede': () => state({ entries: 4, question: null, ended }) })
  show(state())
  await fireEvent.click(screen.getByRole('button', { name: 'Concede' }))
  expect(asked).toEqual([])
  await fireEvent.click(screen.getByRole('button', { name: 'Concede the battle', hidden: true }))
  expect(asked).toMatchObject([{ path: '/api/battles/abc/concede' }])
  show(state({ question: null, ended }))
  expect(screen.getByRole('heading', { name: 'Anna conceded: the battle is over.' })).toBeVisible()
})

test('a clock that another player proposes is agreed on with one press', async () => {
  const asked = serve({ '/api/battles/abc/clock': () => state({ entries: 4 }) })
  show(state({ clock: { proposed: { red: null, blue: 300 }, seconds: null, left: null } }))
  await fireEvent.click(screen.getByRole('button', { name: 'Agree', hidden: true }))
  expect(asked).toMatchObject([{ path: '/api/battles/abc/clock', body: { seconds: 300 } }])
})

test('a player whose opponent has no time left may end the battle', async () => {
  const asked = serve({ '/api/battles/abc/flag': () => state({ entries: 4 }) })
  const clock = { proposed: { red: 60, blue: 60 }, seconds: 60, left: { red: 60, blue: 0 } }
  show(state({ question: supply.counterQuestion, can_answer: false, clock }))
  expect(screen.getByText('1:00')).toBeVisible()
  await fireEvent.click(screen.getByRole('button', { name: /Their time is up/ }))
  expect(asked).toMatchObject([{ path: '/api/battles/abc/flag' }])
})

test('a server that is away is named', async () => {
  show(state())
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
  await fireEvent.click(screen.getByRole('button', { name: 'Roll the dice' }))
  expect(await screen.findByText('Cannot reach the server')).toBeVisible()
})

describe('the proof', () => {
  const over = () => state({ question: null, fair: { ...genuine.fair, numbers: { red: true, blue: true } } })

  test('every die is recomputed here', async () => {
    serve({ '/api/battles/abc/log': () => genuine })
    render(FairDice, { live: new Live('abc', 'secret'), state: over() })
    await fireEvent.click(screen.getByRole('button', { name: 'Verify every die' }))
    expect(await screen.findByText(/16 dice were recomputed here/)).toBeVisible()
  })

  test('another commitment than the one seen at first is not believed', async () => {
    serve({ '/api/battles/abc/log': () => genuine })
    const live = new Live('abc', 'secret')
    live.witness({ commitment: 'ab'.repeat(32) })
    render(FairDice, { live, state: over() })
    await fireEvent.click(screen.getByRole('button', { name: 'Verify every die' }))
    await waitFor(() => expect(screen.getByText('These dice are not the ones committed to.')).toBeVisible())
    expect(screen.getByText(/not the one that was published before/)).toBeVisible()
  })
})
