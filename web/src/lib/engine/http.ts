// The engine behind the server's API.

import type { SystemInfo } from '../types'
import { RefusedError, Unreachable, isAborted } from './errors'
import type { Engine } from './types'

/** Ask the server for something. */
export async function request<T>(path: string, options: RequestInit = {}): Promise<T> {
  let response: Response
  try {
    response = await fetch(path, options)
  } catch (error) {
    if (isAborted(error)) throw error
    throw new Unreachable()
  }
  if (!response.ok) throw await refusal(response)
  return (await response.json()) as T
}

/** Why the server refused. */
export async function refusal(response: Response): Promise<RefusedError> {
  const body = ((await response.json().catch(() => null)) ?? {}) as Record<string, unknown>
  return new RefusedError(response.status, Array.isArray(body.faults) ? body.faults : [], body)
}

export function send<T>(
  path: string,
  body: unknown,
  { signal, key }: { signal?: AbortSignal | undefined; key?: string | undefined } = {},
): Promise<T> {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' }
  if (key) headers.Authorization = `Bearer ${key}`
  return request<T>(path, { method: 'POST', headers, body: JSON.stringify(body), signal: signal ?? null })
}

export const server: Engine = {
  systems: () => request<SystemInfo[]>('/api/systems'),
  run: (task, about, signal) => send(`/api/${task}`, about, { signal }),
}
