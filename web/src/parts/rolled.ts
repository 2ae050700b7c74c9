// Rolled dice in display order: high to low, and compared dice in pairs.

import type { Face, Fate, RolledPool } from '../lib/types'

export interface RolledDie {
  die: string
  face: Face
  fate: Fate | undefined
}

/** All dice of one roller. */
interface Roller {
  by: string
  side: string | null
  dice: RolledDie[]
}

/** Two compared dice, or a single one. */
interface Pair {
  first: RolledDie | null
  second: RolledDie | null
  /** Whether one cancelled the other. */
  isCancelled: boolean
}

/** Numbers from high to low; symbols from strong to weak, which is how their letters stand in the alphabet. */
function isBefore(a: Face, b: Face): number {
  if (typeof a === 'number' && typeof b === 'number') return b - a
  if (a === '' || b === '') return Number(a === '') - Number(b === '')
  return String(a).localeCompare(String(b))
}

/** The dice of each roller, grouped by kind. */
export function rollersOf(pools: readonly RolledPool[]): Roller[] {
  const rollers: Roller[] = []
  for (const { by, side, die, faces, fates } of pools.filter((pool) => pool.faces.length)) {
    const dice = faces.map((face, place): RolledDie => ({ die, face, fate: fates[place] }))
    dice.sort((a, b) => isBefore(a.face, b.face))
    const last = rollers.at(-1)
    if (last?.by === by) last.dice.push(...dice)
    else rollers.push({ by, side, dice })
  }
  return rollers
}

/** The dice of two opposing rollers in pairs; null if none were compared. */
export function pairsOf(rollers: readonly Roller[]): Pair[] | null {
  const [one, two] = rollers
  if (!one || !two || rollers.length > 2) return null
  const met = meetings(one.dice, two.dice)
  if (!met.length) return null
  const alone = (dice: readonly RolledDie[], place: 0 | 1) =>
    dice.filter((die) => !met.some((pair) => pair[place] === die))
  return [
    ...met.map(([first, second]) => ({
      first,
      second,
      isCancelled: first.fate === 'loses' || second.fate === 'loses',
    })),
    ...alone(one.dice, 0).map((first) => ({ first, second: null, isCancelled: false })),
    ...alone(two.dice, 1).map((second) => ({ first: null, second, isCancelled: false })),
  ]
}

/** Pair dice by their outcomes: by rank if both sides have equally many, else each loser with the die that beat it. */
function meetings(one: readonly RolledDie[], two: readonly RolledDie[]): [RolledDie, RolledDie][] {
  const [used, others] = [one, two].map((dice) => dice.filter((die) => die.fate && die.fate !== 'unused'))
  const all = [...(used ?? []), ...(others ?? [])]
  if (!used || !others || !all.some((die) => die.fate === 'loses' || die.fate === 'ties')) return []
  if (used.length === others.length) return zip(used, others)
  const having = (dice: readonly RolledDie[], fate: Fate) => dice.filter((die) => die.fate === fate)
  const pairs = [
    ...zip(having(used, 'loses'), having(others, 'wins')),
    ...zip(having(used, 'wins'), having(others, 'loses')),
    ...zip(having(used, 'ties'), having(others, 'ties')),
  ]
  return pairs.sort(([a], [b]) => isBefore(a.face, b.face))
}

function zip(one: readonly RolledDie[], two: readonly RolledDie[]): [RolledDie, RolledDie][] {
  return one.flatMap((die, place) => (two[place] ? [[die, two[place]] as [RolledDie, RolledDie]] : []))
}
