// Dice as people type them in: `6 4 3`, `643` where no face is longer than a digit, `DD - CD` for symbols.

import type { Face, OpenPool } from './types'

export const BLANK = '-'

/** The faces of a die, each once, as they are typed. */
export function facesOf(pool: OpenPool): Face[] {
  return [...new Set(pool.faces)]
}

export function written(face: Face): string {
  return face === '' ? BLANK : String(face)
}

export interface Typed {
  faces: Face[]
  /** What was not understood. */
  wrong: string[]
}

export function understand(text: string, pool: OpenPool): Typed {
  const known = new Map(facesOf(pool).map((face) => [written(face).toUpperCase(), face]))
  const areDigits = [...known.keys()].every((key) => /^\d$/.test(key))
  const parts = text
    .toUpperCase()
    .split(/[\s,;/]+/)
    .filter((part) => part !== '')
    .flatMap((part) => (areDigits ? [...part] : [part]))
  const typed: Typed = { faces: [], wrong: [] }
  for (const part of parts) {
    const face = known.get(part)
    if (face === undefined) typed.wrong.push(part)
    else typed.faces.push(face)
  }
  return typed
}
