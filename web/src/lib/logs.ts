// Reading log files.

import { isBattle } from './share'
import type { Battle, Move } from './types'
import { type FairLog, verify } from './verify'

/** A log, with or without fair dice. */
export interface Log {
  grognard: number
  battle: Battle
  seed: string | null
  moves: Move[]
}

/** The log that a text holds; null if it holds something else, such as a battle. */
export function readLog(text: string): Log | null {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch {
    return null
  }
  if (typeof data !== 'object' || data === null || !('grognard' in data)) return null
  const { battle, seed = null, moves } = data as Record<string, unknown>
  if (!isBattle(battle) || !Array.isArray(moves) || !(seed === null || typeof seed === 'string')) return null
  return data as Log
}

/** The result of recomputing the fair dice of a log, in words; empty without fair dice. */
export function checkDice(log: Log): string {
  if (!('fair' in log)) return ''
  const { dice, differs } = verify(log as unknown as FairLog)
  if (!differs.length) return `Fair dice: all ${dice} of them were recomputed, and are as they were rolled.`
  return `These are not the dice committed to. ${differs.join(' ')}`
}
