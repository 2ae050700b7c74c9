// The engine in use: the server's, or, where there is none or it is gone, the one in this browser.

import { IS_ALONE } from '../home'
import { recall, remember } from '../memory'
import { fromBase64url, toBase64url } from '../share'
import type { SystemInfo } from '../types'
import { BrowserEngine, type Readiness } from './browser'
import type { Files } from './dropped'
import { Unreachable, isAborted } from './errors'
import { server } from './http'
import type { Engine } from './types'

/** Where systems of one's own are kept. */
const ADDED = 'systems'

/** The files of systems by the names of these, as they are kept. */
type Packed = Record<string, Record<string, string>>

class CurrentEngine implements Engine {
  kind = $state<'server' | 'browser'>(IS_ALONE ? 'browser' : 'server')
  /** Of the engine in this browser. */
  readiness = $state.raw<Readiness | null>(null)
  readonly #browser = new BrowserEngine((readiness) => (this.readiness = readiness))

  /** Have the engine in this browser loaded, if that is the one to be used. */
  start(): void {
    if (this.kind === 'browser') this.#browser.start()
  }

  systems(): Promise<SystemInfo[]> {
    return this.#use((engine) => engine.systems())
  }

  run<T>(task: string, about: unknown, signal?: AbortSignal): Promise<T> {
    return this.#use((engine) => engine.run<T>(task, about, signal))
  }

  /** Add systems of one's own: only the engine in this browser knows them. */
  async add(files: Files, signal?: AbortSignal): Promise<string[]> {
    const names = await this.#browser.add(files, signal)
    this.kind = 'browser'
    const key = names.join(' ')
    const packed = Object.entries(files).map(([path, content]) => [path, toBase64url(content)])
    this.#forget(key)
    remember(ADDED, { ...recall<Packed>(ADDED, {}), [key]: Object.fromEntries(packed) })
    return names
  }

  /** Whether systems were added on an earlier visit. */
  get hasAdded(): boolean {
    return Object.keys(recall<Packed>(ADDED, {})).length > 0
  }

  /** Add what was added on an earlier visit; what is cancelled meanwhile is forgotten. */
  async addAgain(signal: AbortSignal): Promise<void> {
    const failed: unknown[] = []
    for (const [names, packed] of Object.entries(recall<Packed>(ADDED, {}))) {
      const files = Object.entries(packed).map(([path, content]) => [path, fromBase64url(content)])
      try {
        await this.#browser.add(Object.fromEntries(files) as Files, signal)
        this.kind = 'browser'
      } catch (error) {
        if (isAborted(error)) this.#forget(names)
        failed.push(error)
      }
      if (signal.aborted) break
    }
    if (failed.length) throw failed[0]
  }

  #forget(names: string): void {
    const others = Object.entries(recall<Packed>(ADDED, {})).filter(([other]) => other !== names)
    remember(ADDED, Object.fromEntries(others))
  }

  async #use<T>(ask: (engine: Engine) => Promise<T>): Promise<T> {
    if (this.kind === 'browser') return ask(this.#browser)
    try {
      return await ask(server)
    } catch (error) {
      if (!(error instanceof Unreachable) || typeof Worker === 'undefined') throw error
      const answer = await ask(this.#browser).catch((other: unknown) => {
        throw other instanceof Unreachable ? error : other
      })
      this.kind = 'browser'
      return answer
    }
  }
}

export const engine = new CurrentEngine()
