// Recomputes every die of a fair battle from its log alone, without the server.

import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'

import { MachineDice, fairSeed } from './dice'
import type { Battle, Face, Json, Move, Result } from './types'

/** The log of a battle with fair dice, as far as the dice go. */
export interface FairLog {
  grognard: number
  battle: Battle
  seed: string | null
  moves: Move[]
  result: Result | null
  fair: {
    commitment: string
    secret: string | null
    numbers: { side: string; number: string }[] | { attacker: string; defender: string } | null
    dice: Record<string, Face[]>
  }
  digest: string | null
}

/** What this page recorded before the dice were rolled. */
export interface PageRecord {
  commitment?: string | undefined
  /** The number that was added here, and for which side. */
  number?: { side: string; text: string } | undefined
}

export interface Verified {
  dice: number
  /** All discrepancies. */
  differs: string[]
}

export function verify(log: FairLog, witnessed: PageRecord = {}): Verified {
  const { secret, numbers, commitment } = log.fair
  if (secret === null || numbers === null) {
    return { dice: 0, differs: ['The secret is not published before the battle is over.'] }
  }
  const differs: string[] = []
  const bytes = hexToBytes(secret)
  if (bytesToHex(sha256(bytes)) !== commitment) differs.push('The secret does not fit the commitment.')
  if (witnessed.commitment && witnessed.commitment !== commitment) {
    differs.push('The commitment is not the one that was published before the battle.')
  }
  const added = numbersOf(numbers)
  const own = witnessed.number
  if (own && added.find(({ side }) => side === own.side)?.number !== own.text)
    differs.push('Your number is not the one that you added.')
  const seed = fairSeed(
    bytes,
    added.map(({ number }) => number),
  )
  if (log.seed !== seed) differs.push('The seed does not follow from the secret and the numbers.')
  const dice = compareDice(log, new MachineDice(seed), differs)
  if (log.digest !== digest(log)) differs.push('The digest does not fit the log.')
  return { dice, differs }
}

/** The number of every side, in the order of the sides; older logs have them by role. */
function numbersOf(numbers: NonNullable<FairLog['fair']['numbers']>): { side: string; number: string }[] {
  if (Array.isArray(numbers)) return numbers
  return (['attacker', 'defender'] as const).map((side) => ({ side, number: numbers[side] }))
}

function compareDice(log: FairLog, machine: MachineDice, differs: string[]): number {
  let count = 0
  for (const [number, move] of log.moves.entries()) {
    if (!move.roll) continue
    const kinds = move.dice ?? []
    if (kinds.length !== move.roll.length) differs.push(`Move ${number + 1}: not every die is named.`)
    for (const [place, kind] of kinds.entries()) {
      const follows = machine.roll(log.fair.dice[kind] ?? [''])
      const shown = move.roll[place]
      count += 1
      if (shown !== follows) {
        differs.push(`Move ${number + 1}, die ${place + 1}: the log says ${shown}, but ${follows} follows.`)
      }
    }
  }
  return count
}

/** The hash of a log, by which two players can compare theirs. */
export function digest(log: FairLog): string {
  const rest = Object.fromEntries(Object.entries(log).filter(([key]) => key !== 'digest'))
  return bytesToHex(sha256(utf8ToBytes(canonical(rest as Json))))
}

/** JSON with its keys sorted and nothing but ASCII, so that equal logs are equal texts. */
export function canonical(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value).sort(byCodePoints)
    return `{${keys.map((key) => `${canonical(key)}:${canonical(value[key])}`).join(',')}}`
  }
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, escaped)
}

function byCodePoints(one: string, other: string): number {
  const [a, b] = [Array.from(one), Array.from(other)]
  for (const [place, letter] of a.entries()) {
    const difference = (letter.codePointAt(0) ?? 0) - (b[place]?.codePointAt(0) ?? -1)
    if (difference) return difference
  }
  return a.length - b.length
}

function escaped(letter: string): string {
  // DEL is ASCII: Python leaves it as it is.
  return letter === '\u007f' ? letter : `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
}
