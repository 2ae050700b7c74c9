import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import { Refusal, serve } from '../testing/server'
import * as supply from '../testing/supply'
import { Live, keepLive, keptLives, newer, pathOf, splitEvents } from './live.svelte'
import type { LiveState } from './types'

const state = (entries: number, more: Partial<LiveState> = {}): LiveState => ({
  ...supply.play([]),
  id: 'abc',
  side: 'red',
  role: 'attacker',
  entries,
  system: 'supply',
  battle: supply.battle,
  options: { dice: 'fair', advice: true, names: { red: 'Anna', blue: 'Ben' } },
  number: entries + 1,
  question: supply.rollQuestion,
  can_answer: true,
  can_undo: false,
  events: [],
  moves: [],
  result: null,
  after: null,
  fair: { commitment: 'c0ffee', numbers: { red: true, blue: true }, secret: null },
  next: null,
  ended: null,
  clock: { proposed: {}, seconds: null, left: null },
  ...more,
})

const event = (state: LiveState) => `event: state\nid: ${state.entries}\ndata: ${JSON.stringify(state)}\n\n`

beforeEach(() => localStorage.clear())
afterEach(() => void vi.unstubAllGlobals())

describe('states', () => {
  test('the one with more entries is the newer, whichever arrives last', () => {
    expect(newer(null, state(3)).entries).toBe(3)
    expect(newer(state(4), state(3)).entries).toBe(4)
    expect(newer(state(3), state(4)).entries).toBe(4)
  })

  test('of another battle replace what was there', () => {
    expect(newer(state(9), state(0, { id: 'next' })).id).toBe('next')
  })
})

describe('what has changed', () => {
  const step = (what: string) => ({ ...supply.paid, what })
  const held = state(3, { events: [step('a'), step('b'), step('c')] })

  test('is put behind what still holds', () => {
    const now = newer(held, { ...state(5, { events: [step('d')] }), keep: { events: 2, moves: 0 } })
    expect([now.entries, now.battle, now.events.map(({ what }) => what)]).toEqual([
      5,
      held.battle,
      ['a', 'b', 'd'],
    ])
  })

  test('is dropped if something newer is known', () => {
    expect(newer(held, { ...state(2), keep: { events: 0, moves: 0 } })).toBe(held)
  })
})

describe('taking a seat', () => {
  const claimed = ({ body }: { body: Record<string, unknown> }) => ({ side: 'red', key: body.key, link: 'l' })

  test('replaces the key of the link, once', async () => {
    const asked = serve({ '/api/battles/abc/claim': claimed })
    const address = await new Live('abc', 'link').sit()
    const { key = '' } = keptLives()[0] ?? {}
    expect(key).toMatch(/^[0-9a-f]{48}$/)
    expect(address).toBe(pathOf('abc', key))
    expect(await new Live('abc', key).sit()).toBeNull()
    expect(asked).toHaveLength(1)
  })

  test('survives a response that was lost', async () => {
    serve({ '/api/battles/abc/claim': () => new Refusal(503, { faults: [] }) })
    await expect(new Live('abc', 'link').sit()).rejects.toThrow()
    const { wanted = '' } = keptLives()[0] ?? {}
    serve({
      '/api/battles/abc/claim': () => new Refusal(404, { faults: [] }),
      '/api/battles/abc': ({ headers }) =>
        headers.Authorization === `Bearer ${wanted}` ? state(1) : new Refusal(404, { faults: [] }),
    })
    expect(await new Live('abc', 'link').sit()).toBe(pathOf('abc', wanted))
  })

  test('takes nobody back to a battle that was left meanwhile', async () => {
    serve({ '/api/battles/abc/claim': claimed })
    const live = new Live('abc', 'link')
    const sitting = live.sit()
    live.leave()
    expect(await sitting).toBeNull()
  })

  test('is not for spectators', async () => {
    serve({ '/api/battles/abc/claim': () => new Refusal(403, { faults: [] }) })
    expect(await new Live('abc', 'link').sit()).toBeNull()
  })
})

describe('a stream of events', () => {
  const text = `retry: 1000\n\n${event(state(1))}: still here\n\n${event(state(2))}`

  test('is understood however it is cut into pieces', () => {
    for (let cut = 0; cut <= text.length; cut++) {
      const first = splitEvents(text.slice(0, cut))
      const second = splitEvents(first.rest + text.slice(cut))
      expect([...first.data, ...second.data].map((data) => (JSON.parse(data) as LiveState).entries)).toEqual([
        1, 2,
      ])
      expect(second.rest).toBe('')
    }
  })
})

const stream = (...parts: string[]) =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(new TextEncoder().encode(part))
        controller.close()
      },
    }),
  )

describe('following a battle', () => {
  test('shows every state, comes back when the stream ends, and keeps the key out of addresses', async () => {
    const streams = [stream(event(state(1))), stream(event(state(1)), event(state(2)))]
    const asked = serve({
      '/api/battles/abc/live': () => streams.shift() ?? new Refusal(404, { faults: [] }),
    })
    const live = new Live('abc', 'secret')
    const following = live.follow()
    await vi.waitFor(() => expect(live.state?.entries).toBe(1))
    expect(live.connection).toBe('lost')
    live.wake()
    await vi.waitFor(() => expect(live.state?.entries).toBe(2))
    live.leave()
    await following
    expect(asked.every(({ path }) => !path.includes('secret'))).toBe(true)
    expect(asked[0]?.headers.Authorization).toBe('Bearer secret')
  })

  test('ends where there is no such battle', async () => {
    serve({
      '/api/battles/abc/live': () =>
        new Refusal(404, { faults: [{ place: '', message: 'there is no such battle' }] }),
    })
    const live = new Live('abc', 'secret')
    await live.follow()
    expect(live.closed).toBe('there is no such battle')
  })

  test('remembers the commitment that was seen first', async () => {
    serve({ '/api/battles/abc/live': () => stream(event(state(1))) })
    const live = new Live('abc', 'secret')
    void live.follow()
    await vi.waitFor(() => expect(live.state).not.toBeNull())
    live.leave()
    expect(keptLives()).toMatchObject([
      {
        id: 'abc',
        key: 'secret',
        side: 'red',
        title: 'Anna against Ben',
        witnessed: { commitment: 'c0ffee' },
      },
    ])
  })
})

test('a lost network is reported at once, and the battle is followed again', async () => {
  const endless = (signal: AbortSignal) =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(event(state(1))))
          signal.addEventListener('abort', () => controller.error(signal.reason))
        },
      }),
    )
  const streams = [endless, () => stream(event(state(2)))]
  vi.stubGlobal('fetch', (_: string, { signal }: { signal: AbortSignal }) =>
    Promise.resolve(streams.shift()?.(signal)),
  )
  const live = new Live('abc', 'secret')
  void live.follow()
  await vi.waitFor(() => expect([live.connection, live.state?.entries]).toEqual(['open', 1]))
  live.drop()
  await vi.waitFor(() => expect(live.connection).toBe('lost'))
  live.wake()
  await vi.waitFor(() => expect(live.state?.entries).toBe(2))
  live.leave()
})

test('the next attack is kept while it is set up, and the table keeps its name', () => {
  keepLive({
    id: 'abc',
    key: 'k',
    title: 'Bridge',
    side: 'blue',
    witnessed: { commitment: 'c' },
    touched: 0,
  })
  const live = new Live('abc', 'k')
  live.keepDraft({ system: 'supply' })
  expect(new Live('abc', 'k').kept?.draft).toEqual({ system: 'supply' })
  expect(live.goOn('def')).toBe('/live/def#key=k')
  expect(keptLives()[0]).toMatchObject({
    id: 'def',
    key: 'k',
    title: 'Bridge',
    side: 'blue',
    witnessed: {},
  })
})

describe('answering', () => {
  const seated = async (answers: Parameters<typeof serve>[0]) => {
    const asked = serve({ '/api/battles/abc/live': () => stream(event(state(1))), ...answers })
    const live = new Live('abc', 'secret')
    void live.follow()
    await vi.waitFor(() => expect(live.state).not.toBeNull())
    live.leave()
    return { live, asked }
  }

  test('names the question that is meant, and shows what came of it', async () => {
    const { live, asked } = await seated({ '/api/battles/abc/answers': () => state(2) })
    await live.answer({ roll: 'fair' })
    expect(asked.at(-1)?.body).toEqual({ number: 2, roll: 'fair' })
    expect(live.state?.entries).toBe(2)
  })

  test('an answer that comes too late is reported, with how the battle stands now', async () => {
    const { live } = await seated({
      '/api/battles/abc/answers': () =>
        new Refusal(409, { faults: [{ place: '', message: 'question 2 is not open' }], state: state(5) }),
    })
    await live.answer({ choose: 'yes' })
    expect(live.faults).toEqual([{ place: '', message: 'question 2 is not open' }])
    expect(live.state?.entries).toBe(5)
  })

  test('one’s own number is remembered for verifying', async () => {
    const { live } = await seated({ '/api/battles/abc/numbers': () => state(2) })
    await live.addNumber('42')
    expect(live.kept?.witnessed.number).toEqual({ side: 'red', text: '42' })
  })
})

test('a battle is kept once, the latest first, and found by its path', () => {
  const kept = { title: '', key: 'k', side: 'red', witnessed: {}, touched: 0 }
  keepLive({ ...kept, id: 'a' })
  keepLive({ ...kept, id: 'b' })
  keepLive({ ...kept, id: 'a', title: 'Again' })
  expect(keptLives().map(({ id, title }) => [id, title])).toEqual([
    ['a', 'Again'],
    ['b', ''],
  ])
  expect(pathOf('a', 'x y')).toBe('/live/a#key=x%20y')
})
