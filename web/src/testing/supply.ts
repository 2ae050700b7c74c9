// A small supply battle with the server's answers to it, for tests.

import type { Advice, Battle, Event, Luck, Measure, Odds, Played, Question, SystemInfo } from '../lib/types'

export const battle: Battle = {
  system: 'supply',
  units: [
    { id: 'guns', side: 'red', die: 8, strength: 2, range: 3, ammo: 1, supply: 3, at: [2, 3] },
    { id: 'rifles', side: 'blue', die: 6, strength: 2, range: 3, ammo: 1, supply: 1, at: [4, 3] },
  ],
  attack: { by: 'guns', on: 'rifles' },
}

export const system: SystemInfo = {
  name: 'supply',
  title: 'Supply tokens',
  summary: 'units on squares',
  rules: [
    { paragraph: 'comparing dice', rule: 'attack', says: 'Both units roll.' },
    { paragraph: 'counterattack', rule: 'counterattack', says: 'The defender may answer.' },
  ],
  paragraphs: { range: 'Counted in squares.' },
  switches: [
    {
      name: 'distance',
      default: 'orthogonal',
      alternatives: ['diagonal'],
      says: 'how squares are counted',
      paragraph: 'range',
    },
    {
      name: 'caller_keeps_attack',
      default: false,
      alternatives: [true],
      says: 'a caller may attack',
      paragraph: 'call in',
    },
  ],
  objectives: { swing: 'strength that enemies lose', kill: 'the target is destroyed' },
  sources: [],
  fields: [],
  roster: {},
  example: battle,
  examples: [{ name: '01-guns', story: 'Guns fire.', battle }],
}

export const measures: Measure[] = [
  {
    name: 'rifles (blue) loses',
    side: 'defender',
    values: [
      [0, 0.25],
      [1, 0.5],
      [2, 0.25],
    ],
    mean: 1,
    sd: 0.71,
  },
  {
    name: 'guns (red) loses',
    side: 'attacker',
    values: [
      [0, 0.75],
      [1, 0.25],
    ],
    mean: 0.25,
    sd: 0.43,
  },
  {
    name: 'rifles destroyed',
    side: null,
    values: [
      [false, 0.75],
      [true, 0.25],
    ],
    mean: 0.25,
    sd: 0.43,
  },
]

const left = (guns: number, rifles: number) => ({
  units: { guns: { strength: guns, supply: 2 }, rifles: { strength: rifles, supply: 1 } },
})

export const odds: Odds = {
  system: 'supply',
  exact: true,
  objective: 'swing',
  value: 0.75,
  policies: { attacker: 'best', defender: 'best' },
  outcomes: [
    { p: 0.375, result: left(2, 1) },
    { p: 0.25, result: left(2, 0) },
    { p: 0.25, result: left(1, 2) },
    { p: 0.125, result: left(1, 1) },
  ],
  measures,
}

export const advice: Advice = {
  by: 'attacker',
  player: 'red',
  prompt: 'What fires on rifles?',
  rule: 'call in',
  objective: 'swing',
  options: [
    { id: 'call in mortar', label: 'mortar, called in', value: 0.94, best: true, outcomes: [], measures },
    { id: 'direct', label: 'guns, direct', value: 0.44, best: false, outcomes: [], measures },
  ],
}

export const rollDue: Question = {
  kind: 'roll',
  rule: 'comparing dice',
  asked: 'dice are due: guns 2 d8, then rifles 2 d6',
  dice: [
    { by: 'guns', count: 2, die: 'd8', faces: [1, 2, 3, 4, 5, 6, 7, 8] },
    { by: 'rifles', count: 2, die: 'd6', faces: [1, 2, 3, 4, 5, 6] },
  ],
}

export const counterDue: Question = {
  kind: 'choice',
  rule: 'counterattack',
  asked: 'blue decides',
  by: 'blue',
  side: 'defender',
  prompt: 'Counterattack?',
  optional: true,
  options: [
    { id: 'yes', label: 'yes' },
    { id: 'no', label: 'no' },
  ],
}

export const paid: Event = { rule: 'ammunition', what: 'guns (red) pays 1 supply, 2 left', kind: 'change' }
export const rolled: Event = {
  rule: 'comparing dice',
  what: 'guns rolls 2 d8: 7 3; rifles rolls 2 d6: 4 1',
  kind: 'roll',
  dice: [
    { by: 'guns', die: 'd8', faces: [7, 3], fates: ['wins', 'loses'] },
    { by: 'rifles', die: 'd6', faces: [4, 1], fates: ['wins', 'unused'] },
  ],
}
export const answered: Event = {
  rule: 'counterattack',
  what: 'blue: Counterattack? no',
  kind: 'choice',
  by: 'blue',
  prompt: 'Counterattack?',
  choose: 'no',
}

const played = (more: Partial<Played>): Played => ({
  system: 'supply',
  question: null,
  result: null,
  events: [paid],
  moves: [],
  seed: null,
  ...more,
})

/** What the server says after so many answers: dice are due, then the counterattack, then it is over. */
export function told(script: unknown[]): Played {
  const moves = script.map((answer) => ({ rule: '', asked: '', ...(answer as object) }))
  if (script.length === 0) return played({ question: rollDue })
  if (script.length === 1) return played({ question: counterDue, events: [paid, rolled], moves })
  return played({ events: [paid, rolled, answered], moves, result: left(2, 1) })
}

export const luck: Luck = {
  exact: true,
  objective: 'swing',
  policies: { attacker: 'best', defender: 'best' },
  chance: 0.25,
  rank: 2,
  results: 4,
  standings: [
    { name: 'swing', got: 2, less: 0.75, same: 0.25, more: 0, loss_of: null },
    { name: 'rifles (blue) loses', got: 2, less: 0.75, same: 0.25, more: 0, loss_of: 'defender' },
    { name: 'guns (red) loses', got: 0, less: 0, same: 1, more: 0, loss_of: 'attacker' },
  ],
  start: 0.75,
  luck: 1.35,
  decisions: -0.1,
  worth: 2,
}
