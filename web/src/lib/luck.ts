// How lucky each side was: where a result lies among all that could have come of the same battle.

import { toNumber } from './numbers'
import { sideOf } from './sides'
import type { Battle, Json, Odds, Result, Side } from './types'
import { canonical } from './verify'

/** How many of all battles end with less, the same, and more. */
export interface Place {
  less: number
  same: number
  more: number
}

export interface Luck {
  /** The chance of just this result; 0 if it cannot come about as both sides were taken to decide. */
  chance: number
  /** Its place by likelihood, from 1, among so many. */
  rank: number
  results: number
  /** What the defending side loses, less what the attacking side loses. */
  swing: Place
  /** What is left of each side, if anything of it is on the table. */
  left: Record<Side, Place | null>
}

type Tree = { [key: string]: Json | undefined }
type Standing = Record<Side, number>

export function luckOf(battle: Battle, odds: Odds, result: Result): Luck {
  const told = canonical(result as Json)
  const found = odds.outcomes.findIndex((outcome) => canonical(outcome.result as Json) === told)
  const all = odds.outcomes.map((outcome) => ({
    p: toNumber(outcome.p),
    ...standing(battle, outcome.result),
  }))
  const here = standing(battle, result)
  const place = (of: (standing: Standing) => number) =>
    placeOf(
      all.map((one) => [of(one), one.p]),
      of(here),
    )
  const left = (side: Side) => (hasAny(battle, result, side) ? place((standing) => standing[side]) : null)
  return {
    chance: toNumber(odds.outcomes[found]?.p ?? 0),
    rank: found + 1,
    results: odds.outcomes.length,
    swing: place((standing) => standing.attacker - standing.defender),
    left: { attacker: left('attacker'), defender: left('defender') },
  }
}

/** What is left of both sides: strength, units, Health, systems and white dice, less damage. */
function standing(battle: Battle, result: Result): Standing {
  const counted: Standing = { attacker: 0, defender: 0 }
  for (const [name, entry] of thingsIn(result)) {
    const side = sideOf(battle, name)
    if (side) counted[side] += worth(entry)
  }
  return counted
}

function hasAny(battle: Battle, result: Result, side: Side): boolean {
  return thingsIn(result).some(([name]) => sideOf(battle, name) === side)
}

function thingsIn(result: Result): [string, Json | undefined][] {
  return ['units', 'frames', 'armies'].flatMap((key) =>
    Object.entries((result[key] as Tree | undefined) ?? {}),
  )
}

function worth(entry: Json | undefined): number {
  if (typeof entry === 'number') return entry
  const { strength, health, systems, white, damage } = entry as Record<string, Json | undefined>
  if (Array.isArray(systems)) return systems.length + Number(white)
  return Number(strength ?? health ?? -Number(damage ?? 0))
}

function placeOf(all: [number, number][], here: number): Place {
  const sum = (isIt: (value: number) => boolean) =>
    all.reduce((total, [value, p]) => total + (isIt(value) ? p : 0), 0)
  return {
    less: sum((value) => value < here),
    same: sum((value) => value === here),
    more: sum((value) => value > here),
  }
}
