// Sentences that are said in more than one place.

import { whole } from './numbers'
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

/** What an objective is called. */
export function objectiveName(objective: string): string {
  return OBJECTIVES[objective] ?? objective
}

/** How both sides are assumed to decide. */
export function assumed({ attacker, defender }: Pick<Assumptions, 'attacker' | 'defender'>): string {
  if (attacker === defender) return OF_BOTH[attacker]
  return `the attacker ${POLICIES[attacker]}, the defender ${POLICIES[defender]}`
}

/** Exact, or sampled and from how many battles. */
export function howKnown(odds: Odds): string {
  return odds.exact ? 'exact' : `sampled from ${whole(odds.n ?? 0)} battles`
}

/** The open question in a line, for those who cannot see it. */
export function announce(question: Question): string {
  if (question.kind === 'choice') return `${question.by}: ${question.prompt}`
  return `${question.purpose}. ${capital(question.success)}.`
}

/** A sentence, or a button, begins with a capital. */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What a side is called at the beginning of a sentence: `Red`, and in capitals what is as short as `US`. */
export function sideName(side: string): string {
  return side.length > 2 ? capital(side) : side.toUpperCase()
}

const LONGEST_NAME = 40

/** A name as it stands within a sentence: a very long one is cut. */
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
