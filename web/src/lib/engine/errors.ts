// Why an engine has no answer.

import type { Fault } from '../types'

/** The engine refused a request, and said why. */
export class RefusedError extends Error {
  constructor(
    readonly status: number,
    readonly faults: Fault[],
    /** The whole response. */
    readonly body: Record<string, unknown> = {},
  ) {
    super(faults.map((fault) => fault.message).join('\n') || `The server answered ${status}`)
  }

  /** The battle is too large for exact work, or took too long. */
  get isTooLarge(): boolean {
    return (
      typeof this.body.size === 'number' ||
      this.status === 504 ||
      this.faults.some((fault) => fault.code === 'memory')
    )
  }
}

/** There was no response at all. */
export class Unreachable extends Error {
  constructor(message = 'Cannot reach the server') {
    super(message)
  }
}

export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}
