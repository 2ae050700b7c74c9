import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { Refusal, serve } from '../testing/server'
import * as supply from '../testing/supply'
import { RefusedError, faultsOf } from './api'
import { Table, forgetTable, keptTables } from './table.svelte'
import type { Battle } from './types'

const stronger = (strength: number): Battle => ({
  ...supply.battle,
  units: [{ id: 'guns', strength }],
})

beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const answers = {
  '/api/odds': () => supply.odds,
  '/api/advise': () => supply.advice,
  '/api/play': ({ body }: { body: Record<string, unknown> }) => supply.play(body.answers as unknown[]),
  '/api/after': () => ({ system: 'supply', units: [] }),
  '/api/end-turn': ({ body }: { body: Record<string, unknown> }) => ({
    ...(body.battle as object),
    turn: 'over',
  }),
}

describe('changes of the set-up', () => {
  test('are undone and redone', async () => {
    serve(answers)
    const table = new Table(supply.system, supply.battle, 'Guns')
    table.change(stronger(3))
    await vi.advanceTimersByTimeAsync(1000)
    table.change(stronger(4))
    table.undo()
    expect(table.battle).toEqual(stronger(3))
    table.undo()
    expect(table.battle).toEqual(supply.battle)
    expect(table.canUndo).toBe(false)
    table.redo()
    table.redo()
    expect(table.battle).toEqual(stronger(4))
    expect(table.canRedo).toBe(false)
  })

  test('in one touch are undone together', () => {
    serve(answers)
    const table = new Table(supply.system, supply.battle, 'Guns')
    for (const strength of [3, 4, 5]) table.change(stronger(strength))
    table.undo()
    expect(table.battle).toEqual(supply.battle)
  })

  test('made after an undo forget what could be redone', async () => {
    serve(answers)
    const table = new Table(supply.system, supply.battle, 'Guns')
    table.change(stronger(3))
    table.undo()
    await vi.advanceTimersByTimeAsync(1000)
    table.change(stronger(9))
    expect(table.canRedo).toBe(false)
  })

  test('are kept on this device at once', () => {
    serve(answers)
    const table = new Table(supply.system, supply.battle, 'Guns')
    table.change(stronger(7))
    expect(keptTables()).toMatchObject([{ id: table.id, title: 'Guns', battle: stronger(7), play: null }])
    forgetTable(table.id)
    expect(keptTables()).toEqual([])
  })
})

test('a switch counts as changed only if it is not as the chapter has it', () => {
  serve(answers)
  const table = new Table(supply.system, supply.battle, 'Guns')
  expect(table.changedRules).toBe(0)
  table.change({ ...supply.battle, rules: { distance: 'orthogonal', caller_keeps_attack: true } })
  expect(table.changedRules).toBe(1)
})

test('tables at which nothing was done do not crowd out work', () => {
  serve(answers)
  const work = new Table(supply.system, supply.battle, 'Work')
  work.keep()
  for (let look = 0; look < 20; look++)
    new Table(supply.system, supply.battle, `Look ${look}`).keep({ untouched: true })
  expect(keptTables().map(({ title }) => title)).toEqual(['Work', 'Look 19', 'Look 18', 'Look 17'])
})

describe('odds', () => {
  test('follow every change, after a pause, and advice follows them', async () => {
    const asked = serve(answers)
    const table = new Table(supply.system, supply.battle, 'Guns')
    expect(table.solver.isWorking).toBe(true)
    await vi.advanceTimersByTimeAsync(200)
    expect(table.solver.odds).toEqual(supply.odds)
    expect(table.solver.advice).toEqual(supply.advice)
    expect(asked.map(({ path }) => path)).toEqual(['/api/play', '/api/odds', '/api/advise'])
    expect(asked[1]?.body).toEqual({
      battle: supply.battle,
      attacker: 'best',
      defender: 'best',
      objective: 'swing',
      fractions: false,
      summaries: true,
    })
    table.change(stronger(3))
    table.change(stronger(4))
    await vi.advanceTimersByTimeAsync(200)
    expect(asked.filter(({ path }) => path === '/api/odds').map(({ body }) => body.battle)).toEqual([
      supply.battle,
      stronger(4),
    ])
  })

  test('of an illegal battle are its faults, until it is mended', async () => {
    const faults = [{ place: 'units[0].at', message: 'is taken' }]
    let isLegal = false
    serve({ ...answers, '/api/odds': () => (isLegal ? supply.odds : new Refusal(422, { faults })) })
    const table = new Table(supply.system, supply.battle, 'Guns')
    await vi.advanceTimersByTimeAsync(200)
    expect(table.solver.faults).toEqual(faults)
    isLegal = true
    table.change(stronger(2))
    await vi.advanceTimersByTimeAsync(200)
    expect(table.solver.faults).toEqual([])
  })

  test('too large to work out are sampled when asked for', async () => {
    const asked = serve({
      ...answers,
      '/api/odds': () =>
        new Refusal(422, { faults: [{ place: '', message: 'too large' }], size: 9, bound: 8 }),
      '/api/simulate': () => ({ ...supply.odds, exact: false, n: 100_000 }),
    })
    const { solver } = new Table(supply.system, supply.battle, 'Guns')
    await vi.advanceTimersByTimeAsync(200)
    expect(solver.tooLarge).toBe('too large')
    solver.sample(100_000)
    await vi.advanceTimersByTimeAsync(10)
    expect(solver.tooLarge).toBeNull()
    expect(solver.odds?.exact).toBe(false)
    expect(asked.find(({ path }) => path === '/api/simulate')?.body.n).toBe(100_000)
  })

  test('ask for no advice in a fair game', async () => {
    const asked = serve(answers)
    const { solver } = new Table(supply.system, supply.battle, 'Guns')
    solver.setAdvises(false)
    await vi.advanceTimersByTimeAsync(200)
    expect(asked.map(({ path }) => path)).toEqual(['/api/play', '/api/odds'])
    expect(solver.advice).toBeNull()
  })
})

describe('playing', () => {
  const begin = async () => {
    const table = new Table(supply.system, supply.battle, 'Guns')
    await vi.advanceTimersByTimeAsync(200)
    await table.startPlay('7')
    return table
  }

  test('machine dice follow from the seed, and the log says so', async () => {
    serve(answers)
    const table = await begin()
    await table.play?.roll()
    await table.play?.choose('no')
    expect(table.play?.answers).toEqual([{ roll: [1, 6, 6, 4] }, { choose: 'no' }])
    expect(table.play?.isOver).toBe(true)
    expect(table.play?.log()).toMatchObject({
      grognard: 2,
      seed: '7',
      moves: [{ roll: [1, 6, 6, 4], machine: true }, { choose: 'no' }],
    })
  })

  test('is taken back as far as the last of the machine’s dice', async () => {
    serve(answers)
    const table = await begin()
    expect(table.play?.canUndo).toBe(false)
    await table.play?.roll()
    expect(table.play?.canUndo).toBe(false)
    await table.play?.choose('yes')
    await table.play?.undo()
    expect(table.play?.answers).toHaveLength(1)
    expect(table.play?.canUndo).toBe(false)
  })

  test('dice that were typed in can be corrected', async () => {
    serve(answers)
    const table = await begin()
    await table.play?.enter([7, 3, 4, 1])
    await table.play?.undo()
    expect(table.play?.answers).toEqual([])
    expect(table.play?.log().seed).toBeNull()
  })

  test('a refused answer changes nothing', async () => {
    serve({
      ...answers,
      '/api/play': ({ body }: { body: Record<string, unknown> }) => {
        const answers = body.answers as unknown[]
        return answers.length
          ? new Refusal(422, { faults: [{ place: 'answers[0]', message: 'no such face' }] })
          : supply.play([])
      },
    })
    const table = await begin()
    await table.play?.enter([9, 9, 9, 9])
    expect(table.play?.faults).toEqual([{ place: 'answers[0]', message: 'no such face' }])
    expect(table.play?.answers).toEqual([])
  })

  test('keeps the set-up as it is, and goes on where it was after a reload', async () => {
    serve(answers)
    const table = await begin()
    await table.play?.roll()
    table.played()
    table.change(stronger(9))
    expect(table.battle).toEqual(supply.battle)
    const kept = keptTables()[0]
    const again = new Table(supply.system, supply.battle, 'Guns', kept)
    await vi.advanceTimersByTimeAsync(200)
    expect(again.play?.answers).toEqual(table.play?.answers)
    expect(again.play?.response?.question).toEqual(supply.counterQuestion)
    await again.play?.choose('no')
    expect(again.play?.isOver).toBe(true)
  })

  test('goes on with the next attack on the same table, and the turn can be ended', async () => {
    serve(answers)
    const table = await begin()
    await table.play?.roll()
    await table.play?.choose('no')
    await table.nextAttack()
    expect(table.battle).toEqual({ system: 'supply', units: [] })
    expect(table.play).toBeNull()
    expect(table.finished).toHaveLength(1)
    await table.nextAttack(true)
    expect(table.battle).toEqual({ system: 'supply', units: [], turn: 'over' })
    table.undo()
    table.undo()
    expect(table.battle).toEqual(supply.battle)
  })
})

test('a play that is stopped is kept, and can be gone on with', async () => {
  serve(answers)
  const table = new Table(supply.system, supply.battle, 'Guns')
  await vi.advanceTimersByTimeAsync(200)
  await table.startPlay('7')
  await table.play?.roll()
  table.played()
  table.stopPlay()
  expect([table.play, table.finished.map(({ moves }) => moves.length)]).toEqual([null, [1]])
  const [log] = table.finished
  if (log) await table.resume(log)
  expect([table.play?.answers.length, table.finished]).toEqual([1, []])
  expect(table.play?.response?.question).toEqual(supply.counterQuestion)
})

test('the map shows the battle as it is set up, the present of a play, or a step of it', async () => {
  serve(answers)
  const table = new Table(supply.system, supply.battle, 'Guns')
  await vi.advanceTimersByTimeAsync(200)
  expect(table.scene).toMatchObject({ state: null, shot: null, step: null })
  await table.startPlay('7')
  await table.play?.roll()
  expect(table.scene.state).toEqual(supply.play([{}]).state)
  expect(table.scene.shot).toEqual({ by: 'guns', on: 'rifles' })
  if (table.record) table.viewed = { record: table.record, step: 0 }
  expect(table.scene).toMatchObject({ state: supply.paid.state, shot: null, step: 0 })
})

test('the dice are as they were chosen last', () => {
  serve(answers)
  new Table(supply.system, supply.battle, 'Guns').setDice('table')
  expect(new Table(supply.system, supply.battle, 'Guns').settings.dice).toBe('table')
})

test('what is missing is named by what to do about it', () => {
  const fault = { place: 'attack.on', message: 'is missing: expected text', code: 'missing' }
  expect(faultsOf(new RefusedError(422, [fault]))).toEqual([{ ...fault, message: 'Choose a target' }])
})
