// The examples of tower, and the system, as tests need them.

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

const unit = table(
  field('id', text),
  field('side', text),
  field('attack', number()),
  field('defense', number()),
  field('health', number(1)),
  optional('full_health', maybe(number(1))),
  field('speed', number()),
  field('range', number()),
  field('at', tile),
  optional('attacked', flag, false),
  optional('defended', flag, false),
)
const WAYS = ['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest']

export const TOWER: SystemInfo = system(
  'tower',
  [
    field('board', table(field('size', tile), optional('capitals', named(tile), {}))),
    field('units', listOf(unit)),
    field(
      'attack',
      table(field('by', text), field('on', text), optional('direction', maybe(oneOf(...WAYS)))),
    ),
  ],
  { roster: { Hero: { attack: 3, defense: 3, health: 5, speed: 2, range: 0 } } },
)

/** Figures are attack, defense, health, speed and range. */
function one(
  id: string,
  side: string,
  figures: number[],
  at: [number, number],
  more: { [key: string]: Json } = {},
): Json {
  const [attack = 0, defense = 0, health = 1, speed = 0, range = 0] = figures
  return { id, side, attack, defense, health, speed, range, at, ...more }
}

function battle(
  size: [number, number],
  units: Json[],
  attack: { [key: string]: Json },
  rules: { [key: string]: Json } = {},
): Battle {
  const capitals = { red: [1, 1], blue: size }
  return { system: 'tower', board: { size, capitals }, units, attack, rules }
}

const HERO = [3, 3, 5, 2, 0]
const REGULAR = [1, 2, 3, 2, 0]

export const BATTLES: Record<string, Battle> = {
  'hero on regular': battle(
    [18, 18],
    [one('hero', 'red', HERO, [4, 4]), one('regular', 'blue', REGULAR, [4, 5])],
    {
      by: 'hero',
      on: 'regular',
    },
  ),
  'who stands by whom': battle(
    [18, 18],
    [
      one('hero', 'red', HERO, [9, 9]),
      one('squire', 'red', REGULAR, [8, 9]),
      one('bowman', 'red', [2, 1, 2, 3, 2], [9, 7]),
      one('guard', 'blue', [2, 3, 4, 2, 0], [10, 9]),
      one('shield', 'blue', [0, 4, 2, 1, 0], [10, 10]),
      one('page', 'blue', REGULAR, [11, 9]),
    ],
    { by: 'hero', on: 'guard' },
  ),
  'storm the capital': battle(
    [18, 18],
    [
      one('champion', 'red', [4, 3, 6, 3, 0], [17, 18]),
      one('engineer', 'red', [2, 2, 3, 2, 1], [16, 18]),
      one('hero', 'blue', HERO, [18, 18]),
      one('regular', 'blue', REGULAR, [18, 17], { defended: true }),
    ],
    { by: 'champion', on: 'hero', direction: 'north' },
  ),
  'shoulder to shoulder': battle(
    [12, 12],
    [
      one('ram', 'red', [4, 2, 5, 1, 0], [3, 6]),
      one('front', 'blue', [1, 2, 4, 2, 0], [4, 6]),
      one('middle', 'blue', [1, 4, 3, 2, 0], [5, 6]),
      one('rear', 'blue', [1, 2, 2, 2, 0], [6, 6]),
      one('ambush', 'red', REGULAR, [7, 6]),
    ],
    { by: 'ram', on: 'front' },
    { bumped_into_enemy: 'bumped_unit_dies' },
  ),
  'long shot': battle(
    [18, 18],
    [
      one('archers', 'red', [3, 1, 3, 2, 3], [5, 8]),
      one('scout', 'red', [1, 1, 2, 4, 0], [7, 7]),
      one('lancer', 'blue', [2, 3, 4, 4, 0], [7, 6], { full_health: 6 }),
      one('crossbow', 'blue', [2, 2, 3, 2, 2], [9, 6]),
    ],
    { by: 'archers', on: 'lancer', direction: 'north' },
  ),
  'round the world': battle(
    [8, 5],
    [
      one('rider', 'red', [3, 2, 4, 4, 0], [7, 2]),
      one('drifter', 'blue', [1, 3, 4, 2, 1], [8, 2]),
      one('waiting', 'red', REGULAR, [1, 2]),
      one('friend', 'blue', [1, 3, 3, 2, 0], [8, 3]),
    ],
    { by: 'rider', on: 'drifter' },
    { off_the_board: 'wraps' },
  ),
  hexes: battle(
    [11, 9],
    [
      one('hero', 'red', [4, 3, 5, 2, 0], [8, 5]),
      one('left', 'red', REGULAR, [8, 4]),
      one('right', 'red', REGULAR, [8, 6]),
      one('warden', 'blue', [2, 3, 4, 2, 0], [9, 5]),
      one('prince', 'blue', REGULAR, [10, 5]),
    ],
    { by: 'hero', on: 'warden' },
    { board: 'hexes' },
  ),
  'pitched battle': battle(
    [18, 18],
    [
      one('hero', 'red', [4, 3, 5, 2, 0], [9, 9]),
      one('first', 'red', [2, 2, 3, 2, 0], [8, 9]),
      one('second', 'red', [2, 2, 3, 2, 0], [9, 8]),
      one('third', 'red', [2, 1, 2, 3, 1], [9, 10]),
      one('fourth', 'red', [2, 1, 2, 3, 2], [8, 8]),
      one('wall', 'blue', [2, 3, 4, 1, 0], [10, 9]),
      one('north', 'blue', [1, 4, 3, 2, 0], [10, 8]),
      one('south', 'blue', [1, 4, 2, 2, 0], [10, 10]),
      one('back', 'blue', [2, 2, 4, 2, 0], [11, 9]),
      one('slings', 'blue', [1, 1, 2, 3, 2], [12, 9]),
    ],
    { by: 'hero', on: 'wall' },
  ),
}
