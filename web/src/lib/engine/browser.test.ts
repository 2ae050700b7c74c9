import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { BrowserEngine, type Readiness } from './browser'
import { RefusedError, Unreachable } from './errors'
import type { Order, Report } from './worker'

/** A worker whose answers the test sends. */
class FakeWorker {
  static all: FakeWorker[] = []
  /** Whether workers have loaded everything as soon as they start. */
  static isQuick = true
  orders: Order[] = []
  isTerminated = false
  onmessage: ((event: { data: Report }) => void) | null = null
  onerror: (() => void) | null = null

  constructor() {
    FakeWorker.all.push(this)
  }

  postMessage(order: Order) {
    this.orders.push(order)
    if (order.kind === 'start' && FakeWorker.isQuick) this.say({ kind: 'ready' })
  }

  terminate() {
    this.isTerminated = true
  }

  say(data: Report) {
    this.onmessage?.({ data })
  }

  /** Answer the last request. */
  answer(status: string, reply: unknown) {
    const order = this.orders.at(-1)
    if (order && 'id' in order)
      this.say({ kind: 'answer', id: order.id, text: JSON.stringify({ status, reply }) })
  }
}

const heard: Readiness[] = []
let engine: BrowserEngine

beforeEach(() => {
  vi.useFakeTimers()
  FakeWorker.all = []
  FakeWorker.isQuick = true
  heard.length = 0
  engine = new BrowserEngine(
    (readiness) => heard.push(readiness),
    () => new FakeWorker() as unknown as Worker,
  )
})

afterEach(() => vi.useRealTimers())

const tasks = (worker: FakeWorker | undefined) =>
  worker?.orders.flatMap((order) =>
    order.kind === 'run' ? [(JSON.parse(order.request) as { task: string }).task] : [],
  )

test('one request goes to the worker after the other', async () => {
  const [one, other] = [engine.run('odds', {}), engine.run('advise', {})]
  const [worker] = FakeWorker.all
  expect(tasks(worker)).toEqual(['odds'])
  worker?.answer('done', { value: 1 })
  expect(await one).toEqual({ value: 1 })
  expect(tasks(worker)).toEqual(['odds', 'advise'])
  worker?.answer('done', { value: 2 })
  expect(await other).toEqual({ value: 2 })
})

test('the progress of loading the engine is reported', () => {
  FakeWorker.isQuick = false
  engine.start()
  for (const share of [0.5, 1]) FakeWorker.all[0]?.say({ kind: 'loading', share })
  FakeWorker.all[0]?.say({ kind: 'ready' })
  expect(heard).toEqual([0, 0.5, 'starting', 'ready'])
})

test('what is wrong with a request is refused as by the server', async () => {
  const asked = engine.run('odds', {})
  FakeWorker.all[0]?.answer('refused', { faults: [{ place: 'units', message: 'is missing' }], size: 9 })
  const error = await asked.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(RefusedError)
  expect(error).toMatchObject({ status: 422, isTooLarge: true, message: 'is missing' })
})

test('a request that is cancelled and goes on costs its worker its place, and others are asked of a new one', async () => {
  const cancel = new AbortController()
  const [long, next] = [engine.run('odds', {}, cancel.signal), engine.run('advise', {})]
  cancel.abort()
  await expect(long).rejects.toMatchObject({ name: 'AbortError' })
  vi.advanceTimersByTime(2_000)
  const [old, fresh] = FakeWorker.all
  expect([old?.isTerminated, fresh?.isTerminated]).toEqual([true, false])
  expect(tasks(fresh)).toEqual(['advise'])
  fresh?.answer('done', {})
  await next
})

test('a request that is cancelled before it is asked is never asked', async () => {
  const cancel = new AbortController()
  const [one, other] = [engine.run('odds', {}), engine.run('advise', {}, cancel.signal)]
  cancel.abort()
  await expect(other).rejects.toMatchObject({ name: 'AbortError' })
  FakeWorker.all[0]?.answer('done', {})
  await one
  vi.advanceTimersByTime(2_000)
  expect(FakeWorker.all.map(tasks)).toEqual([['odds']])
})

test('a worker that breaks down was asked too much, and is replaced', async () => {
  const asked = engine.run('odds', {})
  FakeWorker.all[0]?.onerror?.()
  await expect(asked).rejects.toMatchObject({ isTooLarge: true })
  expect(FakeWorker.all.length).toBe(2)
})

test('a worker whose memory is in ruins is replaced too', async () => {
  const asked = engine.run('odds', {})
  FakeWorker.all[0]?.say({ kind: 'broken' })
  await expect(asked).rejects.toMatchObject({ isTooLarge: true })
  expect(FakeWorker.all.length).toBe(2)
})

test('cancelling while the engine is loaded does not begin to load it again', async () => {
  FakeWorker.isQuick = false
  const cancel = new AbortController()
  const [first, next] = [engine.run('odds', {}, cancel.signal), engine.run('advise', {})]
  cancel.abort()
  await expect(first).rejects.toMatchObject({ name: 'AbortError' })
  vi.advanceTimersByTime(2_000)
  FakeWorker.all[0]?.say({ kind: 'ready' })
  FakeWorker.all[0]?.answer('done', {})
  await next
  expect(FakeWorker.all.map(tasks)).toEqual([['advise']])
})

test('a worker whose script cannot be loaded is not started again and again', async () => {
  FakeWorker.isQuick = false
  const asked = engine.run('odds', {})
  FakeWorker.all[0]?.onerror?.()
  await expect(asked).rejects.toBeInstanceOf(Unreachable)
  expect([FakeWorker.all.length, heard.at(-1)]).toEqual([1, 'failed'])
})

test('an engine that cannot be loaded leaves nobody waiting', async () => {
  FakeWorker.isQuick = false
  const asked = engine.run('odds', {})
  FakeWorker.all[0]?.say({ kind: 'failed', message: 'no network' })
  await expect(asked).rejects.toBeInstanceOf(Unreachable)
  expect(heard.at(-1)).toBe('failed')
})

test('systems that were added are added to the next worker too', async () => {
  const adding = engine.add({ 'mine/__init__.py': new Uint8Array([1]) })
  FakeWorker.all[0]?.answer('done', { names: ['mine'] })
  expect(await adding).toEqual(['mine'])
  FakeWorker.all[0]?.onerror?.()
  const again = engine.run('odds', {})
  expect(FakeWorker.all[1]?.orders.map(({ kind }) => kind)).toEqual(['start', 'add'])
  FakeWorker.all[1]?.answer('done', { names: ['mine'] })
  FakeWorker.all[1]?.answer('done', {})
  await again
})

test('systems are added to the next worker in the order in which they came', async () => {
  const older = { 'mine/__init__.py': new Uint8Array([1]) }
  const newer = { 'mine/__init__.py': new Uint8Array([2]) }
  for (const files of [older, newer]) {
    const adding = engine.add(files)
    FakeWorker.all[0]?.answer('done', { names: ['mine'] })
    await adding
  }
  FakeWorker.all[0]?.onerror?.()
  const again = engine.run('odds', {})
  for (let count = 0; count < 3; count++) FakeWorker.all[1]?.answer('done', {})
  await again
  const added = FakeWorker.all[1]?.orders.flatMap((order) => (order.kind === 'add' ? [order.files] : []))
  expect(added).toEqual([older, newer])
})

test('a system that breaks its worker down is not added to the next', async () => {
  const adding = engine.add({ 'mine/__init__.py': new Uint8Array([1]) })
  FakeWorker.all[0]?.answer('done', { names: ['mine'] })
  await adding
  for (const number of [0, 1]) {
    FakeWorker.all[number]?.onerror?.()
    void engine.run('odds', {}).catch(() => undefined)
  }
  expect(FakeWorker.all[1]?.orders.map(({ kind }) => kind)).toEqual(['start', 'add'])
  expect(FakeWorker.all[2]?.orders.map(({ kind }) => kind)).toEqual(['start', 'run'])
})
