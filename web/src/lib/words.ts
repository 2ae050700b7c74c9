// Shared wording.

import { formatWhole } from './numbers'
import type { Assumptions, Battle, Json, Odds, Policy, Question } from './types'

export const POLICIES: Record<Policy, string> = {
  best: 'plays its best',
  eager: 'says yes to everything',
  cautious: 'says no to everything',
  random: 'decides at random',
  greedy: 'looks no further than the current attack',
}

const OF_BOTH: Record<Policy, string> = {
  best: 'both sides play their best',
  eager: 'both sides say yes to everything',
  cautious: 'both sides say no to everything',
  random: 'both sides decide at random',
  greedy: 'both sides look no further than the current attack',
}

const OBJECTIVES: Record<string, string> = { swing: 'net losses (swing)' }

/** The name of an objective. */
export function objectiveName(objective: string): string {
  return OBJECTIVES[objective] ?? objective
}

/** The policies of both sides in words. */
export function formatPolicies({ attacker, defender }: Pick<Assumptions, 'attacker' | 'defender'>): string {
  if (attacker === defender) return OF_BOTH[attacker]
  return `the attacker ${POLICIES[attacker]}, the defender ${POLICIES[defender]}`
}

/** `exact`, or the number of sampled battles. */
export function exactness(odds: Odds): string {
  return odds.exact ? 'exact' : `sampled from ${formatWhole(odds.n ?? 0)} battles`
}

/** The open question in a line, for screen readers. */
export function announce(question: Question): string {
  if (question.kind === 'choice') return `${question.by}: ${question.prompt}`
  return `${question.purpose}. ${capital(question.success)}.`
}

/** The words with a capital first letter. */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The name of a side: `Red`; of at most two letters in capitals, as in `US`. */
export function sideName(side: string): string {
  return side.length > 2 ? capital(side) : side.toUpperCase()
}

const LONGEST_NAME = 40

/** A name for use in a sentence: a very long one is shortened. */
export function shortName(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1).trimEnd()}…` : name
}

/** Who fights whom: `guns v rifles`, or the sides where no unit is named. */
export function combatants(battle: Battle, order: readonly string[]): string {
  const attack = (battle.attack ?? battle.activation ?? {}) as { [key: string]: Json | undefined }
  const names = [attack.by, attack.on].filter((name) => typeof name === 'string')
  return (names.length > 1 ? names : order.slice(0, 2)).join(' v ')
}

const MINUTE = 60_000
const SPANS: [number, string][] = [
  [24 * 60 * MINUTE, 'd'],
  [60 * MINUTE, 'h'],
  [MINUTE, 'min'],
]

/** How long ago something was: `5 min ago`. */
export function ago(then: number, now: number): string {
  const span = SPANS.find(([length]) => now - then >= length)
  return span ? `${Math.floor((now - then) / span[0])} ${span[1]} ago` : 'just now'
}
