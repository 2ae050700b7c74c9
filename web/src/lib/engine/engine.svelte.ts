// The engine in use: the server's, or, where there is none or it is gone, the one in this browser.

import { IS_ALONE } from '../home'
import { recall, remember } from '../memory'
import { fromBase64url, toBase64url } from '../share'
import type { SystemInfo } from '../types'
import { BrowserEngine, type Readiness } from './browser'
import type { Files } from './dropped'
import { Unreachable } from './errors'
import { server } from './http'
import type { Engine } from './types'

/** Where systems of one's own are kept. */
const ADDED = 'systems'

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
  async add(files: Files): Promise<string[]> {
    this.kind = 'browser'
    const names = await this.#browser.add(files)
    const packed = Object.entries(files).map(([path, content]) => [path, toBase64url(content)])
    remember(ADDED, { ...recall(ADDED, {}), [names.join(' ')]: Object.fromEntries(packed) })
    return names
  }

  /** Add what was added on an earlier visit. */
  async addAgain(): Promise<void> {
    for (const packed of Object.values(recall<Record<string, Record<string, string>>>(ADDED, {}))) {
      const files = Object.entries(packed).map(([path, content]) => [path, fromBase64url(content)])
      await this.add(Object.fromEntries(files) as Files).catch(() => undefined)
    }
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
