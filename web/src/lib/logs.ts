// Logs that come back as files: the battle in them, and the play as far as it went.

import type { KeptPlay, Step } from './play.svelte'
import { answerOf } from './play.svelte'
import { isBattle } from './share'
import type { Battle, Move } from './types'
import { type FairLog, verify } from './verify'

/** A log of ours, with fair dice or without. */
export interface Log {
  grognard: number
  battle: Battle
  seed: string | null
  moves: Move[]
}

/** The log that a text says; null if it says something else, such as a battle. */
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

/** The play in a log, to be looked at or gone on with. */
export function playOf({ seed, moves }: Log): KeptPlay {
  const steps = moves.map((move): Step => {
    const answer = answerOf(move)
    return { answer, from: 'choose' in answer ? 'person' : move.machine ? 'machine' : 'table' }
  })
  const draws = moves.reduce((count, move) => count + (move.machine ? (move.roll?.length ?? 0) : 0), 0)
  const deciders = { attacker: 'ask', defender: 'ask', objective: 'swing' } as const
  return { seed: seed ?? '', draws, steps, dice: seed === null ? 'table' : 'machine', deciders }
}

/** What can be said of a log's dice. */
export async function aboutDice(log: Log): Promise<string> {
  if (!('fair' in log)) return ''
  const { dice, differs } = await verify(log as unknown as FairLog)
  if (!differs.length) return `Fair dice: all ${dice} of them were recomputed, and are as they fell.`
  return `These are not the dice committed to. ${differs.join(' ')}`
}
