// The engine in use: the server's, or, where there is none or it is gone, the one in this browser.

import { IS_ALONE } from '../home'
import type { SystemInfo } from '../types'
import { BrowserEngine, type Readiness } from './browser'
import { Unreachable } from './errors'
import { server } from './http'
import type { Engine } from './types'

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
  async add(packed: Uint8Array): Promise<string[]> {
    this.kind = 'browser'
    return this.#browser.add(packed)
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
