// A server that answers in tests.

import { vi } from 'vitest'

interface Asked {
  path: string
  body: Record<string, unknown>
  headers: Record<string, string>
}

type Answer = (asked: Asked) => unknown

/** What a server refuses, with its status. */
export class Refusal {
  constructor(
    readonly status: number,
    readonly body: unknown,
  ) {}
}

/** Answer each path so, whatever stands behind a `?`; all that was asked is listed. */
export function serve(answers: Record<string, Answer>): Asked[] {
  const all: Asked[] = []
  vi.stubGlobal('fetch', (path: string, options: RequestInit = {}) => {
    const asked = {
      path,
      body: options.body ? (JSON.parse(String(options.body)) as Record<string, unknown>) : {},
      headers: (options.headers ?? {}) as Record<string, string>,
    }
    all.push(asked)
    const reply =
      answers[path.replace(/\?.*/, '')]?.(asked) ??
      new Refusal(404, { faults: [{ place: '', message: 'unknown' }] })
    if (reply instanceof Response) return Promise.resolve(reply)
    const [status, body] = reply instanceof Refusal ? [reply.status, reply.body] : [200, reply]
    return Promise.resolve(new Response(JSON.stringify(body), { status }))
  })
  return all
}
