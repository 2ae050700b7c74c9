// The engine in this browser: a worker that takes one request after the other.

import { HOME } from '../home'
import type { Fault, SystemInfo } from '../types'
import type { Files } from './dropped'
import { RefusedError, Unreachable } from './errors'
import { request } from './http'
import type { Engine } from './types'
import type { Order, Report } from './worker'

/** How far the engine is: a share of it is loaded, it starts, it is ready, or it cannot be loaded. */
export type Readiness = number | 'starting' | 'ready' | 'failed'

/** Milliseconds that an aborted request may go on before its worker is replaced. */
const PATIENCE = 1_000
const STATUS: Record<string, number> = { refused: 422, memory: 422 }
const OUT_OF_MEMORY: Fault = {
  place: '',
  message: 'It is too large for the memory of this device',
  code: 'memory',
}

type Outgoing = { kind: 'run'; request: string } | { kind: 'add'; files: Files }

interface Job {
  id: number
  order: Outgoing
  done: (text: string) => void
  failed: (error: unknown) => void
}

export class BrowserEngine implements Engine {
  #worker: Worker | null = null
  /** The worker has loaded everything: until then nothing is sent to it, and cancelling costs nothing. */
  #isReady = false
  #queue: Job[] = []
  #running: Job | null = null
  #number = 0
  /** Systems that were added, for the next worker. */
  #added: Files[] = []

  constructor(
    private readonly tell: (readiness: Readiness) => void,
    private readonly create = () => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }),
  ) {}

  /** Load Python and the engine, unless that was done. */
  start(): void {
    if (this.#worker) return
    const worker = (this.#worker = this.create())
    worker.onmessage = ({ data }: MessageEvent<Report>) => this.#hear(data)
    worker.onerror = () => this.#crashed()
    this.tell(0)
    const again = this.#added.map((files) => {
      const forget = () => (this.#added = this.#added.filter((other) => other !== files))
      return this.#job({ kind: 'add', files }, () => undefined, forget)
    })
    this.#queue.unshift(...again)
    this.#post({ kind: 'start', home: HOME.href })
  }

  systems = async (): Promise<SystemInfo[]> => {
    if (!this.#added.length) return request<SystemInfo[]>(new URL('systems.json', HOME).href)
    return (await this.run<{ systems: SystemInfo[] }>('systems', {})).systems
  }

  run = <T>(task: string, about: unknown, signal?: AbortSignal): Promise<T> =>
    this.#ask<T>({ kind: 'run', request: JSON.stringify({ task, about }) }, signal)

  /** Add the systems in these files; their names. */
  async add(files: Files, signal?: AbortSignal): Promise<string[]> {
    const { names } = await this.#ask<{ names: string[] }>({ kind: 'add', files }, signal)
    this.#added.push(files)
    return names
  }

  #ask<T>(order: Outgoing, signal?: AbortSignal): Promise<T> {
    this.start()
    return new Promise<string>((done, failed) => {
      const job = this.#job(order, done, failed)
      signal?.addEventListener('abort', () => this.#abandon(job), { once: true })
      this.#queue.push(job)
      this.#next()
    }).then((text) => {
      const { status, reply } = JSON.parse(text) as { status: string; reply: Record<string, unknown> }
      if (status === 'done') return reply as T
      throw new RefusedError(STATUS[status] ?? 500, Array.isArray(reply.faults) ? reply.faults : [], reply)
    })
  }

  #job(order: Outgoing, done: Job['done'], failed: Job['failed']): Job {
    return { id: ++this.#number, order, done, failed }
  }

  #next(): void {
    if (this.#running || !this.#isReady) return
    const job = this.#queue.shift()
    if (!job) return
    this.#running = job
    this.#post({ ...job.order, id: job.id })
  }

  #post(order: Order): void {
    this.#worker?.postMessage(order)
  }

  #hear(report: Report): void {
    if (report.kind === 'loading') this.tell(report.share < 1 ? report.share : 'starting')
    if (report.kind === 'ready') {
      this.#isReady = true
      this.tell('ready')
      this.#next()
    }
    if (report.kind === 'failed') this.#fail()
    if (report.kind === 'broken') this.#crashed()
    if (report.kind !== 'answer' || report.id !== this.#running?.id) return
    const job = this.#running
    this.#running = null
    job.done(report.text)
    this.#next()
  }

  /** Abort a request. */
  #abandon(job: Job): void {
    job.failed(new DOMException('The request was cancelled', 'AbortError'))
    this.#queue = this.#queue.filter((other) => other !== job)
    if (this.#running !== job) return
    setTimeout(() => {
      if (this.#running === job) this.#restart()
    }, PATIENCE)
  }

  #stop(): void {
    this.#worker?.terminate()
    this.#worker = null
    this.#isReady = false
    this.#running = null
  }

  #restart(): void {
    this.#stop()
    this.start()
  }

  #crashed(): void {
    if (!this.#isReady) return this.#fail()
    this.#running?.failed(new RefusedError(422, [OUT_OF_MEMORY]))
    this.#restart()
  }

  /** The engine's files could not be loaded: all waiting requests fail, and the next one tries again. */
  #fail(): void {
    const waiting = this.#queue.filter(
      ({ order }) => order.kind === 'run' || !this.#added.includes(order.files),
    )
    this.#stop()
    this.#queue = []
    this.tell('failed')
    for (const job of waiting) job.failed(new Unreachable('The engine could not be loaded'))
  }
}
