// How the sides look: each has a colour and a shape of its own, so that nobody needs to see colours.

import { ownersOf } from '../../lib/sides'
import type { Battle } from '../../lib/types'

export type Outline = 'round' | 'square' | 'cut' | 'notched'

export interface Look {
  /** A custom property of `colours.css`. */
  colour: string
  outline: Outline
}

const NAMED = ['red', 'blue', 'green', 'yellow', 'black', 'white', 'orange', 'purple', 'brown', 'grey']
const SPARE = ['red', 'blue', 'green', 'purple', 'orange', 'brown', 'grey']
const OUTLINES: readonly Outline[] = ['round', 'square', 'cut', 'notched']

export const PLAIN: Look = { colour: 'grey', outline: 'round' }

/** The looks of sides, in their order; one named after a colour has it, the others what is left. */
export function looks(sides: readonly string[]): Map<string, Look> {
  const names = [...new Set(sides)]
  const own = new Map(
    names.flatMap((side) => (NAMED.includes(side.toLowerCase()) ? [[side, side.toLowerCase()]] : [])),
  )
  const left = SPARE.filter((colour) => ![...own.values()].includes(colour))
  return new Map(
    names.map((side, place) => [
      side,
      {
        colour: own.get(side) ?? left.shift() ?? 'grey',
        outline: OUTLINES[place % OUTLINES.length] ?? 'round',
      },
    ]),
  )
}

/** The looks of all sides of a battle: the same in one attack after the other, whoever attacks. */
export function looksOf(battle: Battle, ...others: string[]): Map<string, Look> {
  return looks([...ownersOf(battle), ...others])
}
