// Sentences that are said in more than one place.

import { whole } from './numbers'
import type { Aims, Odds, Policy } from './types'

export const POLICIES: Record<Policy, string> = {
  best: 'plays its best',
  eager: 'says yes to everything',
  cautious: 'says no to everything',
  random: 'decides at random',
}

const OF_BOTH: Record<Policy, string> = {
  best: 'both sides play their best',
  eager: 'both sides say yes to everything',
  cautious: 'both sides say no to everything',
  random: 'both sides decide at random',
}

/** How both sides are taken to decide. */
export function assumed({ attacker, defender }: Pick<Aims, 'attacker' | 'defender'>): string {
  if (attacker === defender) return OF_BOTH[attacker]
  return `the attacker ${POLICIES[attacker]}, the defender ${POLICIES[defender]}`
}

/** Exact, or sampled and from how many battles. */
export function howKnown(odds: Odds): string {
  return odds.exact ? 'exact' : `sampled from ${whole(odds.n ?? 0)} battles`
}

/** A sentence, or a button, begins with a capital. */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
