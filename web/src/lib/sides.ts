// How sides look: each has a colour and a shape of its own on the map, in charts, prompts and dice. A side named after
// a colour has that colour; the others get the remaining ones in the file's order.

import { getContext, setContext } from 'svelte'

import type { Role, Sides } from './types'
import { sideName } from './words'

export type Outline = 'round' | 'square' | 'cut' | 'notched'

export interface Look {
  /** The colour's name, as in the custom properties of `theme.css`. */
  colour: string
  outline: Outline
}

const NAMED = ['red', 'blue', 'green', 'yellow', 'black', 'white', 'orange', 'purple', 'brown', 'grey']
const SPARE = ['red', 'blue', 'green', 'purple', 'orange', 'brown', 'grey']
const OUTLINES: readonly Outline[] = ['round', 'square', 'cut', 'notched']
/** Colours without enough contrast for text in one of the themes. */
const UNREADABLE = ['white', 'black']

export const PLAIN: Look = { colour: 'grey', outline: 'round' }

/** The looks of sides in an order that stays the same from one attack to the next. */
export class Looks {
  readonly #looks = new Map<string, Look>()

  constructor(
    readonly order: readonly string[] = [],
    readonly sides: Sides = {},
  ) {
    const named = order.filter((side) => NAMED.includes(side.toLowerCase()))
    for (const side of named) this.#looks.set(side, { colour: side.toLowerCase(), outline: 'round' })
    for (const [place, side] of order.entries())
      this.#looks.set(side, { colour: this.#colourOf(side), outline: outlineAt(place) })
  }

  /** The look of a side; a new side gets the next free one. */
  get(side: string | null | undefined): Look {
    if (!side) return PLAIN
    const known = this.#looks.get(side)
    if (known) return known
    const look = { colour: this.#colourOf(side), outline: outlineAt(this.#looks.size) }
    this.#looks.set(side, look)
    return look
  }

  /** A side's colour for text, bars and dice. */
  css(side: string | null | undefined): string {
    if (!side) return 'var(--ink)'
    const { colour } = this.get(side)
    return UNREADABLE.includes(colour) ? 'var(--ink)' : `var(--text-${colour}, var(--side-${colour}))`
  }

  /** Whom something belongs to: a side, or else the first side in its role; one that has no side is called by it. What
   * is `named` after a side, such as who holds a place, belongs to that one. */
  owner({ side, role }: { side?: string | null; role?: Role | null }, named = ''): string | null {
    if (this.order.includes(named)) return named
    return side ?? (role ? (sideIn(this.sides, role) ?? role) : null)
  }

  #colourOf(side: string): string {
    const name = side.toLowerCase()
    if (NAMED.includes(name)) return name
    const known = this.#looks.get(side)
    if (known) return known.colour
    const taken = [...this.#looks.values()].map((look) => look.colour)
    return SPARE.find((colour) => !taken.includes(colour)) ?? 'grey'
  }
}

const outlineAt = (place: number): Outline => OUTLINES[place % OUTLINES.length] ?? 'round'

/** The order of the current sides: earlier sides keep their places. */
export function orderOf(before: readonly string[], sides: Sides, keepsAll: boolean): string[] {
  const now = Object.keys(sides)
  const kept = before.filter((side) => keepsAll || now.includes(side))
  return [...kept, ...now.filter((side) => !kept.includes(side))]
}

/** The first side that has a role. */
export function sideIn(sides: Sides, role: Role): string | null {
  return Object.keys(sides).find((side) => sides[side] === role) ?? null
}

/** `Red`, or `Green and Yellow`; the role if no side has it. */
export function namesIn(sides: Sides, role: Role): string {
  const names = Object.keys(sides)
    .filter((side) => sides[side] === role)
    .map(sideName)
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? role)
}

const KEY = Symbol('looks')

/** Provide the looks of the sides to all components of a view. */
export function shareLooks(looks: () => Looks): void {
  setContext(KEY, looks)
}

/** The looks that the enclosing view provides. */
export function useLooks(): () => Looks {
  const none = new Looks()
  return getContext<(() => Looks) | undefined>(KEY) ?? (() => none)
}
