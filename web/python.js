import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** Puts Python for browsers beside the page: without the list of its packages, of which none is used. */
export function python() {
  const folder = dirname(createRequire(import.meta.url).resolve('pyodide/package.json'))
  const read = (name) => readFileSync(join(folder, name))
  return {
    name: 'python',
    apply: 'build',
    config: () => ({ base: './' }),
    generateBundle() {
      const emit = (name, source) => this.emitFile({ type: 'asset', fileName: `pyodide/${name}`, source })
      for (const name of ['pyodide.mjs', 'pyodide.asm.mjs', 'python_stdlib.zip']) emit(name, read(name))
      emit('pyodide.asm.wasm.gz', gzipSync(read('pyodide.asm.wasm'), { level: 9 }))
      const lock = JSON.parse(read('pyodide-lock.json').toString())
      emit('pyodide-lock.json', JSON.stringify({ ...lock, packages: {} }))
    },
  }
}
