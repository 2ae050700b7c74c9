// Dice as people type them in: `6 4 3`, `643` where no face is longer than a digit, `DD - CD` for symbols.

import type { Face, OpenPool } from './types'

const BLANK = '-'

/** The faces of a die, each once, as they are typed. */
export function facesOf(pool: OpenPool): Face[] {
  return [...new Set(pool.faces)]
}

export function faceText(face: Face): string {
  return face === '' ? BLANK : String(face)
}

export interface ParsedRoll {
  /** The faces of each pool. */
  faces: Face[][]
  /** What no die shows, with the die that was meant. */
  wrong: { part: string; die: string }[]
  /** How many dice are too many. */
  surplus: number
}

/** Where every face of a die is a digit, dice need no space between them. */
export const areDigits = (pool: OpenPool) => facesOf(pool).every((face) => /^\d$/.test(faceText(face)))

/** A whole roll, the pools one after the other. */
export function parseRoll(text: string, pools: readonly OpenPool[]): ParsedRoll {
  const typed: ParsedRoll = { faces: pools.map(() => []), wrong: [], surplus: 0 }
  const parts = text.split(/[\s,;/]+/).filter((part) => part !== '')
  const take = (part: string) => {
    const place = nextPool(typed, pools)
    const pool = pools[place]
    if (!pool) typed.surplus += 1
    else if (part.length > 1 && areDigits(pool)) [...part].forEach(take)
    else {
      const face = facesOf(pool).find((one) => faceText(one).toUpperCase() === part.toUpperCase())
      if (face === undefined) typed.wrong.push({ part, die: pool.die })
      else typed.faces[place]?.push(face)
    }
  }
  parts.forEach(take)
  return typed
}

/** The pool whose dice are next; -1 if there is none. */
export function nextPool({ faces }: Pick<ParsedRoll, 'faces'>, pools: readonly OpenPool[]): number {
  return pools.findIndex((pool, place) => (faces[place]?.length ?? 0) < pool.count)
}
