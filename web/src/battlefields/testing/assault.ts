// The examples of assault, and the system, as tests need them.

import type { Battle, Json, SystemInfo } from '../../lib/types'
import {
  field,
  flag,
  listOf,
  maybe,
  named,
  number,
  oneOf,
  optional,
  system,
  table,
  text,
  tile,
} from './systems'

const FACINGS = ['north', 'northeast', 'southeast', 'south', 'southwest', 'northwest']
const unit = table(
  field('id', text),
  field('side', text),
  optional('card', maybe(text)),
  optional('experience', oneOf('recruit', 'regular', 'hardened', 'veteran', 'elite'), 'regular'),
  optional('damage', number(), 0),
  optional('status', oneOf('none', 'suppressed', 'fallback'), 'none'),
  optional('immobilized', flag, false),
  optional('dug_in', flag, false),
  optional('ambush', flag, false),
  optional('fast', flag, false),
  optional('attack_die_minus', number(), 0),
  optional('at', maybe(tile)),
  optional('facing', maybe(oneOf(...FACINGS))),
  optional('kind', maybe(oneOf('infantry', 'artillery', 'vehicle'))),
  optional('strength', maybe(number(1))),
  optional('v_infantry', maybe(named(text))),
)
const attack = table(
  field('by', text),
  field('on', text),
  optional('range', maybe(number(1))),
  optional('terrain', maybe(text)),
  optional('hindering', maybe(number())),
  optional('area', maybe(oneOf('front', 'flank', 'rear', 'above'))),
  optional('fire', oneOf('firing', 'turret_firing', 'move_and_fire', 'fire_and_move', 'indirect'), 'firing'),
  optional('spotted', { kind: 'either', of: [oneOf('roll'), flag] }, 'roll'),
  optional('joint', maybe(text)),
  optional('dice', maybe(text)),
  optional('defense', maybe(text)),
)
const hex = table(field('at', tile), optional('terrain', text, 'clear'))

export const ASSAULT: SystemInfo = system(
  'assault',
  [
    field('units', listOf(unit)),
    field('attack', attack),
    optional('board', maybe(table(field('size', tile), optional('hexes', listOf(hex), [])))),
    optional('command_cards', listOf(table(field('side', text), optional('card', maybe(text)))), []),
    optional('command_points', named(number()), {}),
  ],
  {
    roster: { 'US Rifles 43': { card: 'US Rifles 43' }, 'medium tank': { card: 'medium tank' } },
    sources: [
      [
        'card US Rifles 43',
        'kind infantry, points 7, move 2, strength 4, defense Y, v_infantry 0 RRG, 1-3 RRY, 4-6 RR, v_armour 1 YB, 2 GB',
      ],
      ['card US Rangers 43', 'kind infantry, strength 4, defense Y, v_infantry 1-3 RY'],
      ['card US Bazooka', 'kind infantry, strength 2, defense Y, v_armour 1 Y, 2 RY'],
      [
        'card US 81 mm mortar',
        'kind artillery, strength 2, defense Y, v_infantry 1-3 RB, v_indirect 3-11 GGG',
      ],
      ['card GE HMG 42', 'kind infantry, strength 3, defense Y, v_infantry 1-5 RRYB, 6-7 RYGB'],
      ['card GE Rifles 43', 'kind infantry, strength 3, defense Y, v_infantry 1-3 RYB'],
      ['card GE FJ Rifles 43', 'kind infantry, strength 4, defense Y, v_infantry 4-7 RYYB'],
      ['card IT Rifles 43', 'kind infantry, strength 4, defense Y, v_infantry 1-3 RY'],
      [
        'card medium tank',
        'kind vehicle, turret yes, strength 4, defense front YG, flank G, rear B, above B, v_infantry 4-7 YG, v_armour 4-7 YG',
      ],
      [
        'card heavy tank',
        'kind vehicle, turret yes, strength 5, defense front RY, flank Y, rear G, above G, v_armour 1-3 RRY',
      ],
      ['terrain clear', 'infantry G, open yes'],
      ['terrain brush', 'infantry GB, vehicle G, artillery G, obstruction hinders'],
      ['terrain brush, height', '0'],
      ['terrain light forest', 'infantry YG, vehicle G, artillery B, obstruction hinders'],
      ['terrain light forest, height', '1'],
      ['terrain heavy forest', 'vehicle G, artillery G, obstruction blocks'],
      ['terrain heavy forest, infantry', 'GYY'],
      ['terrain heavy forest, height', '1'],
      ['terrain rocky', 'infantry BY, vehicle G, artillery G'],
      ['terrain road', 'infantry G, open yes'],
      ['terrain bunker', 'infantry.flank RYY, infantry.rear RR, infantry.above RRY'],
      ['terrain bunker, infantry.front', 'RRY'],
      ['command card take cover', 'pool defense, gains G'],
    ].map(([what = '', figure = '']) => ({ what, figure, mark: 'T' })),
  },
)

type Entry = { [key: string]: Json }

const one = (id: string, side: string, card: string, more: Entry = {}): Entry => ({ id, side, card, ...more })

function battle(units: Entry[], attack: Entry, more: Entry = {}): Battle {
  return { system: 'assault', units, attack, ...more }
}

export const BATTLES: Record<string, Battle> = {
  'rifles on a machine gun': battle(
    [one('rifles', 'us', 'US Rifles 43'), one('hmg', 'ge', 'GE HMG 42', { experience: 'hardened' })],
    { by: 'rifles', on: 'hmg', range: 3, terrain: 'light forest' },
  ),
  'dice in hand': battle(
    [
      { id: 'rifles', side: 'us', kind: 'infantry', strength: 4 },
      { id: 'defenders', side: 'it', kind: 'infantry', strength: 4 },
    ],
    { by: 'rifles', on: 'defenders', range: 3, dice: 'RRY', defense: 'YG' },
  ),
  'bazooka ambush': battle(
    [
      one('bazooka', 'us', 'US Bazooka', { experience: 'veteran', ambush: true }),
      one('tiger', 'ge', 'heavy tank', { experience: 'recruit' }),
    ],
    { by: 'bazooka', on: 'tiger', range: 2, area: 'flank', terrain: 'brush' },
  ),
  'cards on both sides': battle(
    [
      one('fallschirmjäger', 'ge', 'GE FJ Rifles 43', { experience: 'elite', damage: 2 }),
      one('rangers', 'us', 'US Rangers 43', { experience: 'veteran', dug_in: true, status: 'suppressed' }),
    ],
    { by: 'fallschirmjäger', on: 'rangers', range: 4, terrain: 'rocky', hindering: 1, fire: 'move_and_fire' },
    { command_cards: [{ side: 'us', card: 'take cover' }], command_points: { ge: 3, us: 2 } },
  ),
  'mortar on a tank': battle(
    [
      one('mortar', 'us', 'US 81 mm mortar', { experience: 'hardened' }),
      one('panzer', 'ge', 'medium tank', { damage: 1, immobilized: true }),
    ],
    { by: 'mortar', on: 'panzer', range: 6, fire: 'indirect' },
  ),
  'over the ridge': battle(
    [
      one('sherman', 'us', 'medium tank', { experience: 'hardened', at: [3, 5], facing: 'north' }),
      one('panzer', 'ge', 'medium tank', { at: [9, 5], facing: 'north', status: 'suppressed' }),
      one('crew', 'ge', 'GE Rifles 43', { at: [10, 5] }),
    ],
    { by: 'sherman', on: 'panzer', fire: 'turret_firing' },
    {
      board: {
        size: [12, 10],
        hexes: [
          { at: [5, 5], terrain: 'brush' },
          { at: [6, 5], smoke: true },
          { at: [9, 5], terrain: 'rocky' },
        ],
      },
    },
  ),
  'joint fire on a bunker': battle(
    [
      one('rifles', 'us', 'US Rifles 43', { experience: 'veteran', at: [3, 4] }),
      one('rangers', 'us', 'US Rangers 43', { at: [3, 3] }),
      one('bersaglieri', 'it', 'IT Rifles 43', { experience: 'recruit', at: [6, 4], facing: 'north' }),
    ],
    { by: 'rifles', on: 'bersaglieri', joint: 'rangers' },
    {
      board: {
        size: [10, 8],
        hexes: [
          { at: [6, 4], terrain: 'bunker' },
          { at: [4, 3], terrain: 'light forest' },
        ],
      },
    },
  ),
  'our own figures': battle(
    [
      {
        id: 'partisans',
        side: 'it',
        kind: 'infantry',
        strength: 3,
        damage: 1,
        defense: 'G',
        v_infantry: { '1-2': 'YYG', '3-5': 'GG' },
        attack_die_minus: 1,
        ambush: true,
      },
      one('lorry', 'ge', 'lorry', { fast: true }),
    ],
    { by: 'partisans', on: 'lorry', range: 2, terrain: 'road', hindering: 2 },
    { cards: { lorry: { kind: 'vehicle', strength: 2, move: 5, defense: 'B' } } },
  ),
}
