import { fireEvent, render, screen, waitFor, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import '@testing-library/jest-dom/vitest'

import { Solver } from '../lib/solver.svelte'
import { Table } from '../lib/table.svelte'
import { Refusal, serve } from '../testing/server'
import * as supply from '../testing/supply'
import Advice from './Advice.svelte'
import Compare from './Compare.svelte'
import HouseRules from './HouseRules.svelte'
import Luck from './Luck.svelte'
import Odds from './Odds.svelte'
import Play from './Play.svelte'

const answers = {
  '/api/odds': ({ body }: { body: Record<string, unknown> }) =>
    body.fractions
      ? {
          ...supply.odds,
          value: '3/4',
          outcomes: supply.odds.outcomes?.map((outcome) => ({ ...outcome, p: '1/4' })),
        }
      : supply.odds,
  '/api/advise': () => supply.advice,
  '/api/play': ({ body }: { body: Record<string, unknown> }) => supply.play(body.answers as unknown[]),
  '/api/after': () => ({ system: 'supply', units: [] }),
  '/api/luck': () => supply.luck,
}

beforeEach(() => {
  localStorage.clear()
  Element.prototype.scrollIntoView = () => undefined
})
afterEach(() => void vi.unstubAllGlobals())

const solved = (): Solver => {
  const solver = new Solver()
  solver.solve(supply.battle)
  return solver
}

describe('Odds', () => {
  const show = async (more: Parameters<typeof serve>[0] = {}) => {
    const asked = serve({ ...answers, ...more })
    const solver = solved()
    render(Odds, { solver, system: supply.system })
    await waitFor(() => expect(solver.isWorking).toBe(false))
    return { asked, solver }
  }

  test('the first numbers are in large type, and it is said that they are exact', async () => {
    await show()
    const figures = screen.getAllByRole('definition').map((one) => one.parentElement?.textContent.trim())
    expect(figures).toEqual([
      'Blue rifles destroyed 25.0\u202f%',
      'Blue rifles average losses 1.00',
      'Red guns average losses 0.25',
    ])
    expect(screen.getByText('exact')).toBeVisible()
    expect(screen.getByText('both sides play their best')).toBeVisible()
  })

  test('the chart says every chance, and where the line is drawn, that of at least so much', async () => {
    await show()
    const chart = screen.getByRole('img', { name: /^Losses of both sides/ })
    expect(chart).toHaveTextContent('Blue rifles: losses: 0 25.0 %, 1 50.0 %, 2 25.0 %.')
    const line = screen.getByRole('slider', { name: 'At least' })
    expect(line).toHaveAttribute(
      'aria-valuetext',
      'at least 1: Blue rifles: losses 75.0\u00a0%, Red guns: losses 25.0\u00a0%',
    )
    await fireEvent.input(line, { target: { value: '2' } })
    expect(line.getAttribute('aria-valuetext')).toMatch(/^at least 2: Blue rifles: losses 25.0\u00a0%/)
  })

  test('every result is in a table, in fractions on demand', async () => {
    await show()
    const results = screen.getByRole('region', { name: 'All results', hidden: true })
    expect(within(results).getAllByRole('row', { hidden: true })).toHaveLength(5)
    await fireEvent.click(screen.getByRole('button', { name: 'Exact fractions' }))
    await waitFor(() => expect(within(results).getAllByText('1/4')).toHaveLength(4))
  })

  test('another policy is another question', async () => {
    const { asked } = await show()
    await fireEvent.change(screen.getByRole('combobox', { name: /^Defender/, hidden: true }), {
      target: { value: 'cautious' },
    })
    await waitFor(() =>
      expect(asked.filter(({ path }) => path === '/api/odds').at(-1)?.body.defender).toBe('cautious'),
    )
    expect(screen.getByText('the attacker plays its best, the defender says no to everything')).toBeVisible()
  })

  test('a battle too large to work out is sampled on a click, and that is said', async () => {
    const tooLarge = new Refusal(422, {
      faults: [{ place: '', message: 'positions: 9, the bound is 8' }],
      size: 9,
      bound: 8,
    })
    await show({
      '/api/odds': () => tooLarge,
      '/api/simulate': () => ({ ...supply.odds, exact: false, n: 10_000 }),
    })
    await fireEvent.click(screen.getByRole('button', { name: 'Sample 10,000 battles' }))
    expect(await screen.findByText('sampled: 10,000 battles, ± 0.50 %')).toBeVisible()
  })

  test('what is wrong with a battle is said with its place', async () => {
    const faults = [
      { place: 'attack.on', message: 'guns cannot attack itself' },
      { place: 'units[1].strength', message: 'found -1' },
    ]
    await show({ '/api/odds': () => new Refusal(422, { faults }) })
    expect(screen.getByRole('alert')).toHaveTextContent(
      'attack on: guns cannot attack itself rifles strength: found -1',
    )
  })

  test('a server that does not answer is named', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
    render(Odds, { solver: solved(), system: supply.system })
    expect(await screen.findByText('Cannot reach the server')).toBeVisible()
  })
})

describe('Advice', () => {
  test('lists the options with their values, and marks the best', async () => {
    serve(answers)
    const solver = solved()
    render(Advice, { solver, system: supply.system })
    const [first, second] = await screen.findAllByRole('listitem')
    expect(first).toHaveTextContent('Mortar, called in +0.94')
    expect(first).toHaveTextContent('Blue rifles: average losses 1.00')
    expect(within(first as HTMLElement).getByText('best')).toBeVisible()
    expect(second).toHaveTextContent('Guns, direct +0.44')
    expect(second).toHaveTextContent('0.50 worse')
    expect(screen.getByText('Red decides')).toBeVisible()
    expect(screen.queryByRole('button', { name: /Choose/ })).toBeNull()
  })

  test('takes an option where the decision is due in play', async () => {
    serve(answers)
    const choose = vi.fn()
    render(Advice, { solver: solved(), system: supply.system, choose })
    await fireEvent.click(await screen.findByRole('button', { name: 'Choose guns, direct' }))
    expect(choose).toHaveBeenCalledExactlyOnceWith('direct')
  })

  test('is switched off for a fair game, and stays off', async () => {
    serve(answers)
    const solver = solved()
    render(Advice, { solver, system: supply.system })
    await screen.findAllByRole('listitem')
    await fireEvent.click(screen.getByRole('checkbox'))
    expect(screen.queryAllByRole('listitem')).toEqual([])
    expect(new Solver().advises).toBe(false)
  })

  test('says when dice come first', async () => {
    serve({
      ...answers,
      '/api/advise': () => ({
        ...supply.advice,
        by: null,
        prompt: 'Attack roll: roll guns 2 d8',
        options: [],
      }),
    })
    render(Advice, { solver: solved(), system: supply.system })
    expect(await screen.findByText('There is nothing to decide now.')).toBeVisible()
    expect(screen.getByText('Attack roll: roll guns 2 d8.')).toBeVisible()
  })
})

describe('Play', () => {
  const sitDown = async () => {
    const asked = serve(answers)
    const table = new Table(supply.system, supply.battle, 'Guns')
    await waitFor(() => expect(table.solver.isWorking).toBe(false))
    render(Play, { table })
    return { table, asked }
  }
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

  test('with the machine’s dice: every die is shown with its fate, and in the end how lucky each side was', async () => {
    const { asked } = await sitDown()
    await fireEvent.input(screen.getByLabelText(/^Seed/), { target: { value: '7' } })
    await press('Play this attack')
    expect(await screen.findByRole('heading', { name: 'Attack roll' })).toBeVisible()
    await press('Roll the dice')
    expect(await screen.findByRole('img', { name: 'd8 showing 3, loses' })).toBeVisible()
    expect(screen.getByText('1 die cancelled')).toBeVisible()
    await press('No')
    expect(await screen.findByRole('heading', { name: 'Result' })).toBeVisible()
    const luck = screen.getByRole('region', { name: 'Luck' })
    expect(await within(luck).findByText(/^Chance of this very result:/)).toHaveTextContent(
      'Chance of this very result: 25.00 %. Expected net losses (swing): +0.75. The dice added +1.35, decisions −0.10: the result is +2.',
    )
    expect(luck).toHaveTextContent(
      'You left the best line; compared with what you chose: 75.0 % of battles end worse for Red',
    )
    expect(luck).toHaveTextContent('Blue: Counterattack? no 0.10 worse than yes')
    expect(within(luck).getByRole('button', { name: 'Show Counterattack? on the map' })).toBeVisible()
    expect(luck).toHaveTextContent('Blue rifles: losses: 2; fewer in 75.0 % of battles, more in 0.0 %.')
    expect(luck).not.toHaveTextContent('Red guns')
    expect(asked.find(({ path }) => path === '/api/luck')?.body).toEqual({
      battle: supply.battle,
      answers: [{ roll: [1, 6, 6, 4] }, { choose: 'no' }],
      attacker: 'best',
      defender: 'best',
      objective: 'swing',
    })
    expect(screen.getByText('Dice from seed “7”.')).toBeVisible()
  })

  test('luck is measured against a sample where all battles are too many', async () => {
    const sampled = { ...supply.luck, exact: false, start: undefined }
    const asked = serve({
      '/api/luck': ({ body }) => (body.n ? sampled : new Refusal(422, { faults: [], size: 9, bound: 8 })),
    })
    render(Luck, {
      battle: supply.battle,
      answers: [],
      assumptions: { attacker: 'best', defender: 'best', objective: 'swing' },
      sides: { red: 'attacker', blue: 'defender' },
    })
    expect(await screen.findByText(/^Estimated from a sample, if both sides play their best/)).toBeVisible()
    expect(screen.queryByText(/Expected/)).toBeNull()
    const ofLuck = asked.filter(({ path }) => path === '/api/luck')
    expect(ofLuck.map(({ body }) => body.n)).toEqual([undefined, 10_000])
  })

  test('with one’s own dice, typed or tapped', async () => {
    const { asked } = await sitDown()
    await fireEvent.click(screen.getByRole('radio', { name: 'I’ll roll' }))
    await press('Play this attack')
    const dice = await screen.findByRole('textbox', { name: 'What the dice show' })
    const enter = screen.getByRole('button', { name: 'Confirm roll' })
    await fireEvent.input(dice, { target: { value: '7 9' } })
    expect(screen.getByText('a d8 does not show 9')).toBeVisible()
    await fireEvent.input(dice, { target: { value: '7 3' } })
    expect(enter).toBeDisabled()
    const pad = within(screen.getByRole('group', { name: 'rifles: faces of a d6' }))
    await fireEvent.click(pad.getByRole('button', { name: '4' }))
    await fireEvent.click(pad.getByRole('button', { name: '5' }))
    await fireEvent.click(screen.getByRole('button', { name: 'Take the last die back' }))
    await fireEvent.click(pad.getByRole('button', { name: '1' }))
    expect(pad.getByRole('button', { name: '6' })).toBeDisabled()
    await fireEvent.click(enter)
    await screen.findByRole('button', { name: 'No' })
    expect(asked.filter(({ path }) => path === '/api/play').at(-1)?.body.answers).toEqual([
      { roll: [7, 3, 4, 1] },
    ])
  })

  test('the paragraph beside a step says what it says', async () => {
    await sitDown()
    await press('Play this attack')
    const paragraph = await screen.findByRole('button', { name: 'paragraph comparing dice' })
    expect(screen.getByText('Both units roll.')).not.toBeVisible()
    await fireEvent.click(paragraph)
    expect(screen.getByText('Both units roll.')).toBeVisible()
  })

  test('is taken back, but not past the machine’s dice', async () => {
    await sitDown()
    await press('Play this attack')
    await screen.findByRole('button', { name: 'Roll the dice' })
    expect(screen.getByRole('button', { name: 'Take back' })).toBeDisabled()
    await press('Roll the dice')
    await press((await screen.findByRole('button', { name: 'No' })).textContent ?? '')
    await screen.findByRole('heading', { name: 'Result' })
    await press('Take back')
    expect(await screen.findByRole('button', { name: 'No' })).toBeVisible()
    expect(screen.getByRole('button', { name: 'Take back' })).toBeDisabled()
  })

  test('an illegal battle cannot be played', async () => {
    serve({
      ...answers,
      '/api/odds': () => new Refusal(422, { faults: [{ place: 'attack', message: 'is missing' }] }),
    })
    const table = new Table(supply.system, supply.battle, 'Guns')
    render(Play, { table })
    await waitFor(() => expect(screen.getByRole('button', { name: 'Play this attack' })).toBeDisabled())
  })
})

describe('Compare', () => {
  test('a pinned set-up stands beside what it became', async () => {
    let isPinned = false
    const [loses, ...others] = supply.measures
    const better = { ...supply.odds, value: 1.25, summaries: [{ ...loses, mean: 1.5 }, ...others] }
    serve({ ...answers, '/api/odds': () => (isPinned ? better : supply.odds) })
    const table = new Table(supply.system, supply.battle, 'Guns')
    await waitFor(() => expect(table.solver.odds).not.toBeNull())
    render(Compare, { table })
    await fireEvent.click(screen.getByRole('button', { name: 'Pin this set-up' }))
    isPinned = true
    table.change({ ...supply.battle, rules: { distance: 'diagonal' } })
    expect(await screen.findByRole('row', { name: 'Net losses (swing) +0.75 +1.25 +0.50' })).toBeVisible()
    expect(screen.getByRole('row', { name: 'Blue rifles: average losses 1.00 1.50 +0.50' })).toBeVisible()
    expect(screen.getByText(/rules distance/)).toHaveTextContent('rules distance: – → diagonal')
  })
})

describe('House rules', () => {
  test('one that is changed is written down, and one changed back is not', async () => {
    const change = vi.fn()
    const shown = render(HouseRules, { battle: supply.battle, system: supply.system, change })
    const distance = () => within(screen.getByRole('group', { name: 'distance' }))
    expect(distance().getByRole('radio', { name: /orthogonal/ })).toBeChecked()
    await fireEvent.click(distance().getByRole('radio', { name: 'diagonal' }))
    const changed = { ...supply.battle, rules: { distance: 'diagonal' } }
    expect(change).toHaveBeenLastCalledWith(changed)
    await shown.rerender({ battle: changed })
    await fireEvent.click(distance().getByRole('radio', { name: /orthogonal/ }))
    expect(change).toHaveBeenLastCalledWith(supply.battle)
  })
})
