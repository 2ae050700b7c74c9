// A game against the computer: it ends when a side cannot attack any more, or after two turns without an attack.

import type { Deciders } from './api'

/** How the computer decides. */
export const POLICIES = ['best', 'greedy', 'eager'] as const
export type ComputerPolicy = (typeof POLICIES)[number]

/** A turn that is over. */
export interface GameTurn {
  side: string
  attacks: number
  /** Net losses, counted for the side whose turn it was. */
  swing: number
}

export interface Game {
  /** The side that the computer plays. */
  computer: string
  policy: ComputerPolicy
  /** All dice of the game follow from it. */
  seed: string
  objective: string
  turns: readonly GameTurn[]
}

/** The number of turns in a row without an attack that ends a game. */
const MOST_IDLE = 2

/** Who decides in the turn of a side: the computer for its own, in both roles. */
export function decidersOf({ computer, policy, objective }: Game, side: string): Deciders {
  return side === computer
    ? { attacker: policy, defender: 'ask', objective }
    : { attacker: 'ask', defender: policy, objective }
}

/** The seed of the dice of the turn that is being played. */
export function turnSeed({ seed, turns }: Game): string {
  return `${seed} turn ${turns.length + 1}`
}

/** Whether the last turns passed without an attack. */
export function isIdle(turns: readonly GameTurn[]): boolean {
  return turns.length >= MOST_IDLE && turns.slice(-MOST_IDLE).every((turn) => turn.attacks === 0)
}

/** What a side gained in all turns: the enemy's losses less its own. */
export function score(turns: readonly GameTurn[], side: string): number {
  return turns.reduce((sum, turn) => sum + (turn.side === side ? turn.swing : -turn.swing), 0)
}
