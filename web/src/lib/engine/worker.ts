// The worker: Python in the browser, running the same functions as the server's workers.

import type { PyodideAPI } from 'pyodide'

import type { Files } from './dropped'
import { type Place, snapshotOf } from './snapshot'

/** The messages from the page. */
export type Order =
  | { kind: 'start'; home: string }
  | { kind: 'run'; id: number; request: string }
  | { kind: 'add'; id: number; files: Files }

/** The messages to the page. */
export type Report =
  | { kind: 'loading'; share: number }
  | { kind: 'ready' }
  | { kind: 'failed'; message: string }
  /** Python itself broke down, as with too little memory: it needs another worker. */
  | { kind: 'broken' }
  | { kind: 'answer'; id: number; text: string }

interface Functions {
  answer: (request: string) => string
  add_system: (files: Files) => string
}

/** The bytes that are loaded, about, to show how far that is. */
const EXPECTED = 6_400_000

/** Milliseconds after the start until the snapshot is stored. */
const QUIET = 3_000

const report = (message: Report) => postMessage(message)
let started: Promise<Functions> | undefined

onmessage = ({ data }: MessageEvent<Order>) => {
  if (data.kind === 'start') {
    started = start(data.home)
    started.then(
      () => report({ kind: 'ready' }),
      (error: unknown) => report({ kind: 'failed', message: String(error).slice(-300) }),
    )
  } else reply(data).catch(() => report({ kind: 'broken' }))
}

async function reply(order: Exclude<Order, { kind: 'start' }>): Promise<void> {
  const functions = await started
  if (!functions) return
  const text = order.kind === 'run' ? functions.answer(order.request) : functions.add_system(order.files)
  report({ kind: 'answer', id: order.id, text })
}

async function start(home: string): Promise<Functions> {
  const folder = `${home}pyodide/`
  const script = import(/* @vite-ignore */ `${folder}pyodide.mjs`) as Promise<typeof import('pyodide')>
  void import(/* @vite-ignore */ `${folder}pyodide.asm.mjs`) // which the script would import only later
  const packed = load(`${home}engine.zip`)
  const [wasm, library, lock, engine, snapshot] = await Promise.all([
    load(`${folder}pyodide.asm.wasm.gz`),
    load(`${folder}python_stdlib.zip`),
    load(`${folder}pyodide-lock.json`),
    packed,
    packed.then((engine) => snapshotOf(engine, home)),
  ])
  provide({ 'pyodide.asm.wasm': wasm, 'python_stdlib.zip': library })
  const { loadPyodide } = await script
  const options = {
    indexURL: folder,
    lockFileContents: new TextDecoder().decode(lock),
    packageBaseUrl: folder,
  }
  if (snapshot?.kept)
    try {
      return open(await loadPyodide({ ...options, _loadSnapshot: snapshot.kept }), engine)
    } catch {
      await snapshot.forget()
    }
  const python = await loadPyodide({ ...options, _makeSnapshot: snapshot !== null })
  const functions = open(python, engine)
  if (snapshot) keepLater(snapshot, python)
  return functions
}

/** Take the snapshot now, before anything is asked, and keep it when there is nothing else to do. */
function keepLater({ keep }: Place, python: PyodideAPI): void {
  try {
    const snapshot = python.makeMemorySnapshot() as Uint8Array<ArrayBuffer>
    setTimeout(() => void keep(snapshot).catch(() => undefined), QUIET)
  } catch {
    // the next start takes as long as this one
  }
}

function open(python: PyodideAPI, engine: Uint8Array<ArrayBuffer>): Functions {
  python.unpackArchive(engine, 'zip', { extractDir: '/engine' })
  python.runPython('import sys; "/engine" in sys.path or sys.path.insert(0, "/engine")')
  const module = python.pyimport('grognard.browser') as {
    answer: (request: string) => string
    add_system: (files: unknown) => string
  }
  return {
    answer: (request) => module.answer(request),
    add_system: (files) => module.add_system(python.toPy(files)),
  }
}

let loaded = 0

/** A file, unpacked if it is compressed; how much of all is there is reported on the way. */
async function load(address: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(address)
  if (!response.ok || !response.body) throw new Error(`${address}: ${response.status}`)
  const parts: Uint8Array<ArrayBuffer>[] = []
  const reader = response.body.getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value)
    loaded += part.value.length
    report({ kind: 'loading', share: Math.min(1, loaded / EXPECTED) })
  }
  const whole = new Uint8Array(await new Blob(parts).arrayBuffer())
  const isPacked = whole[0] === 0x1f && whole[1] === 0x8b
  if (!isPacked) return whole
  const unpacked = new Blob([whole]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Uint8Array(await new Response(unpacked).arrayBuffer())
}

/** Have files that Pyodide asks for answered from what was loaded. */
function provide(files: Record<string, Uint8Array<ArrayBuffer>>): void {
  const plain = globalThis.fetch.bind(globalThis)
  globalThis.fetch = (input, options) => {
    const address = input instanceof Request ? input.url : String(input)
    const file = files[address.split('/').at(-1) ?? '']
    if (!file) return plain(input, options)
    const type = address.endsWith('.wasm') ? 'application/wasm' : 'application/zip'
    return Promise.resolve(new Response(file, { headers: { 'Content-Type': type } }))
  }
}
