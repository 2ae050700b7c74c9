// The look of a die, from its name (`d10`, `red`, `green d8`) and its face.

import type { Face, Fate } from '../lib/types'

type Shape = 'triangle' | 'square' | 'diamond' | 'kite' | 'pentagon' | 'hexagon'
export type Colour = 'red' | 'blue' | 'yellow' | 'green' | 'white'

const SHAPES: Record<number, Shape> = {
  4: 'triangle',
  6: 'square',
  8: 'diamond',
  10: 'kite',
  12: 'pentagon',
  20: 'hexagon',
}
const COLOURS: readonly Colour[] = ['red', 'blue', 'yellow', 'green', 'white']
const SYMBOLS: Record<string, string> = { C: 'critical', D: 'damage', X: 'suppression' }

/** The outlines in a box from 0 to 40. */
export const OUTLINES: Record<Shape, string> = {
  triangle: 'M20 3 L38 35 H2 Z',
  square: 'M9 4 H31 A5 5 0 0 1 36 9 V31 A5 5 0 0 1 31 36 H9 A5 5 0 0 1 4 31 V9 A5 5 0 0 1 9 4 Z',
  diamond: 'M20 1.5 L37 20 L20 38.5 L3 20 Z',
  kite: 'M20 1.5 L38 17 L36 24 L20 38.5 L4 24 L2 17 Z',
  pentagon: 'M20 2 L37.5 15 L31 36 H9 L2.5 15 Z',
  hexagon: 'M20 1.5 L36 10.7 V29.3 L20 38.5 L4 29.3 V10.7 Z',
}

/** The height at which a number stands in the middle of its outline. */
export const MIDDLES: Record<Shape, number> = {
  triangle: 25,
  square: 20.5,
  diamond: 20.5,
  kite: 20,
  pentagon: 21.5,
  hexagon: 20.5,
}

export function shapeOf(die: string): Shape {
  const faces = /\bd(\d+)\b/.exec(die)
  return SHAPES[Number(faces?.[1] ?? 6)] ?? 'square'
}

/** The colour that the die's name begins with, if it does. */
export function colourOf(die: string): Colour | null {
  return COLOURS.find((colour) => die.startsWith(colour)) ?? null
}

/** The symbols on a face, strong to weak as printed; none for numbers. */
export function symbolsOf(face: Face): string[] {
  return typeof face === 'number' || /^\d+$/.test(face) ? [] : [...face].filter((letter) => letter in SYMBOLS)
}

/** A face in words. */
export function formatFace(face: Face): string {
  const symbols = symbolsOf(face).map((symbol) => SYMBOLS[symbol])
  return symbols.length ? symbols.join(' and ') : face === '' ? 'nothing' : String(face)
}

/** A die in words: `d10 showing 7, loses`. */
export function formatDie(die: string, face: Face, fate?: Fate): string {
  const name = colourOf(die) === die ? `${die} die` : die
  return `${name} showing ${formatFace(face)}${fate ? `, ${fate}` : ''}`
}
