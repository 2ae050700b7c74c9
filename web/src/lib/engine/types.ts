// What the page asks of an engine, wherever it runs.

import type { SystemInfo } from '../types'

/** Answers requests in the shapes of the HTTP API: a task such as `odds`, and the body that goes with it. */
export interface Engine {
  systems(): Promise<SystemInfo[]>
  run<T>(task: string, about: unknown, signal?: AbortSignal): Promise<T>
}
