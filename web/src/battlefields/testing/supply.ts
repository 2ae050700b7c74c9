// The examples of supply, and the system, as tests need them.

import type { Battle, Json, SystemInfo } from '../../lib/types'
import { field, flag, listOf, maybe, number, oneOf, optional, system, table, text, tile } from './systems'

const unit = table(
  field('id', text),
  field('side', text),
  field('die', oneOf(4, 6, 8, 10, 12, 20)),
  field('strength', number(1)),
  field('range', number()),
  field('ammo', number()),
  field('supply', number()),
  field('at', tile),
  optional('indirect', flag, false),
  optional('fired', flag, false),
  optional('countered', flag, false),
)
const attack = table(
  field('by', text),
  field('on', text),
  optional('how', maybe(oneOf('direct', 'call in'))),
  optional('through', maybe(text)),
)

export const SUPPLY: SystemInfo = system('supply', [field('units', listOf(unit)), field('attack', attack)], {
  roster: {
    militia: { die: 4, strength: 6, range: 1, ammo: 0, supply: 0 },
    mortar: { die: 8, strength: 2, range: 5, ammo: 1, supply: 4, indirect: true },
  },
})

function one(
  id: string,
  side: string,
  figures: number[],
  at: [number, number],
  more: { [key: string]: Json } = {},
): Json {
  const [die = 6, strength = 1, range = 1, ammo = 0, supply = 0] = figures
  return { id, side, die, strength, range, ammo, supply, at, ...more }
}

function battle(units: Json[], by: string, on: string, more: { [key: string]: Json } = {}): Battle {
  return { system: 'supply', units, attack: { by, on }, ...more }
}

const indirect = { indirect: true }

export const BATTLES: Record<string, Battle> = {
  picket: battle(
    [one('scouts', 'red', [6, 1, 1, 0, 0], [1, 1]), one('sentries', 'blue', [6, 1, 1, 0, 0], [1, 2])],
    'scouts',
    'sentries',
  ),
  'guns on rifles': battle(
    [one('guns', 'red', [8, 4, 3, 1, 3], [2, 3]), one('rifles', 'blue', [6, 5, 3, 1, 1], [4, 3])],
    'guns',
    'rifles',
  ),
  'call in': battle(
    [
      one('rifles', 'red', [6, 4, 2, 1, 2], [5, 5]),
      one('mortar', 'red', [8, 2, 5, 1, 4], [4, 3], indirect),
      one('howitzers', 'red', [12, 3, 8, 3, 6], [2, 6], indirect),
      one('guards', 'blue', [8, 5, 2, 1, 3], [6, 6]),
    ],
    'rifles',
    'guards',
  ),
  'out of ammunition': battle(
    [
      one('scouts', 'red', [6, 2, 4, 1, 0], [2, 2]),
      one('mortar', 'red', [8, 2, 5, 1, 1], [1, 3], indirect),
      one('machine guns', 'blue', [8, 2, 3, 2, 6], [4, 4]),
    ],
    '',
    '',
    { attack: { by: 'scouts', on: 'machine guns', how: 'call in', through: 'mortar' } },
  ),
  'both fire at once': battle(
    [one('armour', 'red', [12, 4, 2, 2, 6], [3, 3]), one('guards', 'blue', [8, 3, 2, 1, 3], [4, 4])],
    'armour',
    'guards',
    { rules: { cancelling: 'ranked', counter_timing: 'simultaneous' } },
  ),
  'tired defenders': battle(
    [
      one('militia', 'blue', [4, 6, 2, 0, 0], [5, 5], { countered: true }),
      one('guards', 'red', [8, 3, 1, 1, 1], [6, 6]),
    ],
    'guards',
    'militia',
    { rules: { distance: 'diagonal', counters_per_turn: 'one' } },
  ),
  siege: battle(
    [
      one('siege train', 'red', [12, 18, 6, 4, 9], [1, 4], indirect),
      one('fortress', 'blue', [10, 20, 6, 3, 12], [6, 4]),
      one('rockets', 'red', [6, 15, 10, 2, 2], [1, 1], indirect),
    ],
    'siege train',
    'fortress',
  ),
}
