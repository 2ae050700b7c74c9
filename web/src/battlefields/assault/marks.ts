// What units are marked with, as signs and in words.

import type { Mark, Sign } from '../shared/marks'
import { text } from '../shared/read'
import type { Unit } from '../shared/units'

const FLAGS: readonly [string, Sign, string][] = [
  ['digging_in', 'spade', 'digging in'],
  ['dug_in', 'spade', 'dug in'],
  ['hiding', 'eye', 'hiding'],
  ['hidden', 'eye', 'hidden'],
  ['ambush', 'eye', 'in ambush'],
  ['fast', 'speed', 'fast'],
  ['delayed', 'clock', 'delayed'],
  ['fired_this_turn', 'burst', 'has fired'],
  ['activated', 'burst', 'was activated'],
]
const STATUS: Record<string, Mark> = {
  suppressed: { sign: 'down', says: 'suppressed' },
  fallback: { sign: 'back', says: 'falling back' },
}

export const LEGEND: readonly Mark[] = [
  { sign: 'down', says: 'suppressed' },
  { sign: 'back', says: 'falling back' },
  { sign: 'wheel', says: 'immobilized' },
  { sign: 'spade', says: 'digs or dug in' },
  { sign: 'eye', says: 'hides' },
  { sign: 'burst', says: 'has fired or was activated' },
]

/** The marks of a unit: each sign once, with all that it stands for. */
export function marksOf({ now }: Unit): Mark[] {
  const status = STATUS[text(now.status)]
  const marks: Mark[] = [
    ...(status ? [status] : []),
    ...(now.immobilized === true ? [{ sign: 'wheel', says: 'immobilized' } as const] : []),
    ...FLAGS.flatMap(([name, sign, says]) => (now[name] === true ? [{ sign, says }] : [])),
  ]
  const signs = [...new Set(marks.map(({ sign }) => sign))]
  const wordsOf = (sign: Sign) => marks.filter((mark) => mark.sign === sign).map(({ says }) => says)
  return signs.map((sign) => ({ sign, says: wordsOf(sign).join(', ') }))
}
