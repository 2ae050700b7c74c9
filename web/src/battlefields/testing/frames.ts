// The examples of frames, and the system, as tests need them.

import type { Battle, Json, SystemInfo } from '../../lib/types'
import { field, listOf, maybe, named, number, oneOf, optional, system, table, text } from './systems'

const KINDS = ['defense', 'movement', 'spotting', 'hand', 'direct', 'artillery']
const upTo = (at_most: number, at_least = 0) => ({ ...number(at_least), at_most })
const common = [
  field('on', text),
  field('range', oneOf('hand', 'direct', 'artillery')),
  optional('spot', maybe(upTo(6, 1))),
  optional('near_station', number(), 0),
]

export const FRAMES: SystemInfo = system(
  'frames',
  [
    optional(
      'frames',
      listOf(
        table(field('id', text), field('player', text), optional('systems', listOf(oneOf(...KINDS)), [])),
      ),
      [],
    ),
    optional('terrain', listOf(table(field('id', text), field('hits', number()))), []),
    optional('attack', maybe(table(optional('by', maybe(text)), ...common, field('attack', upTo(8, 1))))),
    optional('activation', maybe(table(field('by', text), ...common))),
    optional(
      'scores',
      maybe(named(table(field('frames', number()), field('systems', number()), field('stations', number())))),
    ),
  ],
  { roster: { Soldier: { loadout: 'WWBGYRdRd' }, Bare: { loadout: 'WWG8' } } },
)

type Entry = { [key: string]: Json }

const worded = (id: string, player: string, loadout: string): Entry => ({ id, player, loadout })
const listed = (id: string, player: string, systems: Json[], more: Entry = {}): Entry => ({
  id,
  player,
  systems,
  ...more,
})
const fitted = (kind: string, name: string): Entry => ({ kind, name })

function battle(frames: Entry[], attack: Entry, more: Entry = {}): Battle {
  return { system: 'frames', frames, attack, ...more }
}

export const BATTLES: Record<string, Battle> = {
  'ragged wall': battle(
    [
      listed('Osprey', 'Joshua', [
        fitted('direct', 'grenade launcher'),
        fitted('spotting', 'sensor pod'),
        fitted('defense', 'body armor'),
        fitted('defense', 'shield'),
      ]),
      worded('Ekauechihé', 'Sebastian', 'WWBYRdRdR8d'),
    ],
    { by: 'Ekauechihé', on: 'Osprey', range: 'direct', attack: 3, defense: 5, spot: 5, cover: 'wall' },
    { terrain: [{ id: 'wall', hits: 1 }] },
  ),
  'shield bearer': battle(
    [
      worded('artillerist', 'Ayo', 'WWBBRaRaR8a'),
      worded('tank', 'Ayo', 'WWBBRdRdR8d'),
      worded('soldier', 'Mina', 'WWBGYRdRd'),
    ],
    { by: 'soldier', on: 'artillerist', range: 'direct', attack: 6, defense: 2, spot: 4, cover: 'tank' },
  ),
  'behind a comrade': battle(
    [worded('rear', 'Ayo', 'WWBGYRdRd'), listed('front', 'Ayo', ['defense', 'direct'], { white: 1 })],
    {
      on: 'rear',
      range: 'artillery',
      attack: 6,
      defense: 1,
      cover: 'front',
      near_station: true,
      covering_near_station: true,
    },
  ),
  'tear down the bunker': {
    system: 'frames',
    terrain: [{ id: 'bunker', hits: 3 }],
    attack: { on: 'bunker', range: 'hand', attack: 6 },
  },
  'last stand at the station': battle(
    [
      worded('Brawler', 'Mina', 'WWBBG8RhRhR8h'),
      listed('holdout', 'Ayo', [fitted('defense', 'riot shield')], { white: 1 }),
    ],
    { by: 'Brawler', on: 'holdout', range: 'hand', attack: 8, defense: 4, near_station: 2 },
    {
      scores: {
        Mina: { frames: 5, systems: 20, stations: 2 },
        Ayo: { frames: 4, systems: 16, stations: 2, lost: 1 },
      },
    },
  ),
  'wall or comrade': battle(
    [
      worded('recon', 'Ayo', 'WWYYRaRaR8a'),
      listed('comrade', 'Ayo', ['movement', 'direct']),
      worded('anvil', 'Mina', 'WWBYRdRdR8d'),
    ],
    { by: 'anvil', on: 'recon', range: 'direct', attack: 7, defense: 2, cover: ['low wall', 'comrade'] },
    { terrain: [{ id: 'low wall', hits: 1 }] },
  ),
  'through a friend': battle(
    [
      worded('watchtower', 'Ayo', 'WWBBYYG8'),
      listed('scout', 'Mina', [fitted('movement', 'jump jets'), fitted('spotting', 'radio')]),
      worded('tank', 'Mina', 'WWBBRdRdR8d'),
    ],
    { by: 'tank', on: 'watchtower', range: 'direct', attack: 5, defense: 3, spot: 6, cover: 'scout' },
  ),
  'the tank’s turn': {
    system: 'frames',
    frames: [listed('tank', 'Mina', ['direct', 'direct']), listed('soldier', 'Ayo', ['defense', 'direct'])],
    activation: { by: 'tank', on: 'soldier', range: 'direct', defense: 3, spot: 2 },
  },
  'one rocket left': {
    system: 'frames',
    frames: [{ id: 'last hope', player: 'Mina', white: 1, rockets: 1 }, worded('straggler', 'Ayo', 'WBG8')],
    terrain: [{ id: 'rubble', hits: 1 }],
    activation: { by: 'last hope', on: 'straggler', range: 'direct', defense: 'not yet', cover: 'rubble' },
  },
}
