// How the sides look: each has a colour and a shape of its own, so that nobody needs to see colours.

import type { Battle } from '../../lib/types'
import { list, table, text } from './read'

export type Outline = 'round' | 'square' | 'cut' | 'notched'

export interface Look {
  /** A custom property of `colours.css`. */
  colour: string
  outline: Outline
}

const NAMED = ['red', 'blue', 'green', 'yellow', 'black', 'white', 'orange', 'purple', 'brown', 'grey']
const SPARE = ['red', 'blue', 'green', 'purple', 'orange', 'brown', 'grey']
const OUTLINES: readonly Outline[] = ['round', 'square', 'cut', 'notched']

/** The looks of sides, in their order; one named after a colour has it, the others what is left. */
export function looks(sides: readonly string[]): Map<string, Look> {
  const names = [...new Set(sides)]
  const own = new Map(
    names.flatMap((side) => (NAMED.includes(side.toLowerCase()) ? [[side, side.toLowerCase()]] : [])),
  )
  const left = SPARE.filter((colour) => ![...own.values()].includes(colour))
  return new Map(
    names.map((side, number) => [
      side,
      {
        colour: own.get(side) ?? left.shift() ?? 'grey',
        outline: OUTLINES[number % OUTLINES.length] ?? 'round',
      },
    ]),
  )
}

/** The looks of the sides of all units: the attacker's comes first. */
export function looksOf(battle: Battle, key = 'side', units = 'units'): Map<string, Look> {
  const all = list(battle[units]).map(table)
  const by = text(table(battle.attack).by)
  const attacker = all.find((unit) => unit.id === by)
  return looks([attacker, ...all].flatMap((unit) => (unit ? [text(unit[key])] : [])))
}

export const PLAIN: Look = { colour: 'grey', outline: 'round' }
