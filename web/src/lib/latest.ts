// Only the latest request counts: earlier ones are aborted, and their responses are ignored.

import { isAborted } from './api'

export class Latest {
  #timer: ReturnType<typeof setTimeout> | undefined
  #running: AbortController | undefined

  /** Ask after a pause, unless something else is asked before. */
  ask<T>(
    pause: number,
    question: (signal: AbortSignal) => Promise<T>,
    succeeded: (answer: T) => void,
    failed: (error: unknown) => void,
  ): void {
    this.stop()
    this.#timer = setTimeout(() => {
      const running = new AbortController()
      this.#running = running
      question(running.signal).then(
        (answer) => running.signal.aborted || succeeded(answer),
        (error: unknown) => running.signal.aborted || isAborted(error) || failed(error),
      )
    }, pause)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#running?.abort()
  }
}
