// A small supply battle with the server's answers to it, for tests.

import type {
  Advice,
  Battle,
  Luck,
  Measure,
  Odds,
  PlayEvent,
  PlayResponse,
  Question,
  State,
  SystemInfo,
} from '../lib/types'

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
  figures: {},
  example: battle,
  examples: [{ name: '01-guns', story: 'Guns fire.', battle }],
}

export const measures: Measure[] = [
  {
    name: 'rifles loses',
    label: 'Blue rifles: losses',
    owner: 'Blue rifles',
    what: 'losses',
    side: 'blue',
    role: 'defender',
    values: [
      [0, 0.25],
      [1, 0.5],
      [2, 0.25],
    ],
    mean: 1,
    sd: 0.71,
  },
  {
    name: 'guns loses',
    label: 'Red guns: losses',
    owner: 'Red guns',
    what: 'losses',
    side: 'red',
    role: 'attacker',
    values: [
      [0, 0.75],
      [1, 0.25],
    ],
    mean: 0.25,
    sd: 0.43,
  },
  {
    name: 'rifles destroyed',
    label: 'Blue rifles: destroyed',
    owner: 'Blue rifles',
    what: 'destroyed',
    side: 'blue',
    role: 'defender',
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
  summaries: measures,
}

export const advice: Advice = {
  by: 'attacker',
  side: 'red',
  prompt: 'What fires on rifles?',
  rule: 'call in',
  objective: 'swing',
  value: 0.94,
  ahead: [],
  options: [
    {
      id: 'call in mortar',
      label: 'mortar, called in',
      value: 0.94,
      best: true,
      regret: 0,
      outcomes: [],
      summaries: measures,
    },
    {
      id: 'direct',
      label: 'guns, direct',
      value: 0.44,
      best: false,
      regret: 0.5,
      outcomes: [],
      summaries: measures,
    },
  ],
}

export const rollQuestion: Question = {
  kind: 'roll',
  rule: 'comparing dice',
  text: 'Attack roll: roll guns 2 d8, then rifles 2 d6',
  purpose: 'Attack roll',
  success: 'attack dice that no defence die removes are losses',
  dice: [
    { by: 'guns', side: 'red', role: 'attacker', count: 2, die: 'd8', faces: [1, 2, 3, 4, 5, 6, 7, 8] },
    { by: 'rifles', side: 'blue', role: 'defender', count: 2, die: 'd6', faces: [1, 2, 3, 4, 5, 6] },
  ],
}

export const counterQuestion: Question = {
  kind: 'choice',
  rule: 'counterattack',
  text: 'blue decides',
  by: 'blue',
  side: 'blue',
  role: 'defender',
  prompt: 'Counterattack?',
  optional: true,
  options: [
    { id: 'yes', label: 'yes' },
    { id: 'no', label: 'no' },
  ],
}

const state = (guns: number, rifles: number, supply: number): State => ({
  units: {
    guns: { side: 'red', role: 'attacker', strength: guns, supply, fired: supply < 3, countered: false },
    rifles: { side: 'blue', role: 'defender', strength: rifles, supply: 1, fired: false, countered: false },
  },
})

export const paid: PlayEvent = {
  rule: 'ammunition',
  what: 'Red guns: 1 supply paid, 2 left',
  kind: 'change',
  side: 'red',
  role: 'attacker',
  state: state(2, 2, 2),
}
export const rolled: PlayEvent = {
  rule: 'comparing dice',
  what: 'guns rolls 2 d8: 7 3; rifles rolls 2 d6: 4 1',
  kind: 'roll',
  side: 'red',
  role: 'attacker',
  purpose: 'Attack roll',
  success: 'attack dice that no defence die removes are losses',
  dice: [
    { by: 'guns', side: 'red', role: 'attacker', die: 'd8', faces: [7, 3], fates: ['wins', 'loses'] },
    { by: 'rifles', side: 'blue', role: 'defender', die: 'd6', faces: [4, 1], fates: ['wins', 'unused'] },
  ],
  state: state(2, 2, 2),
}
export const answered: PlayEvent = {
  rule: 'counterattack',
  what: 'blue: Counterattack? no',
  kind: 'choice',
  side: 'blue',
  role: 'defender',
  by: 'blue',
  prompt: 'Counterattack?',
  choose: 'no',
  label: 'no',
  state: state(2, 1, 2),
}

const response = (more: Partial<PlayResponse>): PlayResponse => ({
  system: 'supply',
  sides: { red: 'attacker', blue: 'defender' },
  question: null,
  state: state(2, 2, 2),
  result: null,
  after: null,
  events: [paid],
  moves: [],
  seed: null,
  ...more,
})

/** The server's response after this number of answers: a roll, then the counterattack, then it is over. */
export function play(answers: unknown[]): PlayResponse {
  const moves = answers.map((answer) => ({ rule: '', question: '', ...(answer as object) }))
  if (answers.length === 0) return response({ question: rollQuestion })
  if (answers.length === 1)
    return response({ question: counterQuestion, events: [paid, rolled], moves, state: state(2, 1, 2) })
  return response({ events: [paid, rolled, answered], moves, result: left(2, 1), state: state(2, 1, 2) })
}

export const luck: Luck = {
  system: 'supply',
  exact: true,
  objective: 'swing',
  policies: { attacker: 'best', defender: 'best' },
  result: left(2, 1),
  probability: 0.25,
  rank: 2,
  results: 4,
  percentiles: [
    {
      name: 'swing',
      label: 'swing',
      value: 2,
      less: 0.75,
      same: 0.25,
      more: 0,
      percentile: 0.875,
      loser: null,
    },
    {
      name: 'rifles loses',
      label: 'Blue rifles: losses',
      value: 2,
      less: 0.75,
      same: 0.25,
      more: 0,
      percentile: 0.875,
      loser: 'defender',
    },
    {
      name: 'guns loses',
      label: 'Red guns: losses',
      value: 0,
      less: 0,
      same: 1,
      more: 0,
      percentile: 0.5,
      loser: 'attacker',
    },
  ],
  start: 0.75,
  luck: 1.35,
  decisions: -0.1,
  value: 2,
  left_best_line: true,
  steps: [
    {
      kind: 'choice',
      rule: 'counterattack',
      side: 'blue',
      role: 'defender',
      prompt: 'Counterattack?',
      choose: 'no',
      best: 'yes',
      before: 2,
      after: 2,
      gain: 0,
      regret: 0.1,
    },
  ],
}
