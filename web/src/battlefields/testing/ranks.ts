// The examples of ranks, and the system, as tests need them.

import type { Battle, Json, SystemInfo } from '../../lib/types'
import { field, flag, listOf, number, oneOf, optional, system, table, text } from './systems'

export const RANKS: SystemInfo = system('ranks', [
  field('defender', table(field('player', text), field('units', number(1)))),
  field(
    'arrivals',
    listOf(
      table(
        field('player', text),
        field('side', oneOf('attack', 'defend')),
        field('units', number(1)),
        optional('optional', flag, false),
      ),
    ),
  ),
])

/** `Red attack 3`, and a `?` behind it if it is optional. */
function arrival(said: string): Json {
  const [player = '', side = '', units = ''] = said.replace('?', '').split(' ')
  return { player, side, units: Number(units), ...(said.endsWith('?') ? { optional: true } : {}) }
}

function battle(units: number, arrivals: string[], rules: { [key: string]: Json } = {}): Battle {
  return { system: 'ranks', defender: { player: 'Blue', units }, arrivals: arrivals.map(arrival), rules }
}

export const BATTLES: Record<string, Battle> = {
  'lone scout': battle(1, ['Red attack 1']),
  'three against four': battle(4, ['Red attack 3']),
  'friends of friends': battle(4, ['Red attack 3', 'Green defend 2?', 'Yellow attack 4?']),
  'last stand': battle(10, ['Red attack 10'], { duration: 'to_the_death' }),
  'all guns speak': battle(5, ['Green defend 2', 'Red attack 4', 'White defend 2?', 'Yellow attack 3?'], {
    die: 6,
  }),
  'whose ships burn': battle(3, ['Green defend 3', 'Red attack 4', 'Yellow attack 3?'], { ties: 'both' }),
  'grand alliance': battle(24, ['Red attack 20', 'Green defend 8?', 'Yellow attack 16', 'Black attack 12?']),
}
