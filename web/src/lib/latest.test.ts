import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { Latest } from './latest'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('what is asked in one go is asked once', async () => {
  const latest = new Latest()
  const question = vi.fn(() => Promise.resolve('odds'))
  const heard = vi.fn()
  for (let touch = 0; touch < 5; touch++) {
    latest.ask(150, question, heard, vi.fn())
    await vi.advanceTimersByTimeAsync(100)
  }
  await vi.advanceTimersByTimeAsync(150)
  expect(question).toHaveBeenCalledOnce()
  expect(heard).toHaveBeenCalledExactlyOnceWith('odds')
})

test('an earlier question is stopped, and its answer is not heard even if it comes', async () => {
  const latest = new Latest()
  const answers: ((value: string) => void)[] = []
  const signals: AbortSignal[] = []
  const question = (signal: AbortSignal) => {
    signals.push(signal)
    return new Promise<string>((resolve) => answers.push(resolve))
  }
  const heard = vi.fn()
  latest.ask(0, question, heard, vi.fn())
  await vi.advanceTimersByTimeAsync(0)
  latest.ask(0, question, heard, vi.fn())
  await vi.advanceTimersByTimeAsync(0)
  expect(signals.map((signal) => signal.aborted)).toEqual([true, false])
  answers[1]?.('new')
  answers[0]?.('old')
  await vi.advanceTimersByTimeAsync(0)
  expect(heard).toHaveBeenCalledExactlyOnceWith('new')
})

test('a failure is reported, unless the question was stopped', async () => {
  const latest = new Latest()
  const failed = vi.fn()
  latest.ask(0, () => Promise.reject(new Error('no')), vi.fn(), failed)
  await vi.advanceTimersByTimeAsync(0)
  expect(failed).toHaveBeenCalledOnce()
  latest.ask(0, () => Promise.reject(new DOMException('', 'AbortError')), vi.fn(), failed)
  await vi.advanceTimersByTimeAsync(0)
  latest.ask(0, () => Promise.reject(new Error('no')), vi.fn(), failed)
  latest.stop()
  await vi.advanceTimersByTimeAsync(0)
  expect(failed).toHaveBeenCalledOnce()
})
