// Who attacks in a battle, as far as its file says: for colours only, the rules know for themselves.

import type { Battle, Json, Side } from './types'

/** What follows each other in the hands of one player, together. */
export function byPlayer<T extends { by: string }>(hands: T[]): { by: string; hands: T[] }[] {
  const found: { by: string; hands: T[] }[] = []
  for (const hand of hands) {
    const last = found.at(-1)
    if (last?.by === hand.by) last.hands.push(hand)
    else found.push({ by: hand.by, hands: [hand] })
  }
  return found
}

type Entry = { [key: string]: Json | undefined }

/** The side of a unit or a player; null if the file does not say. */
export function sideOf(battle: Battle, name: string): Side | null {
  const player = ownerOf(battle, name) ?? name
  const attackers = attackingPlayers(battle)
  if (attackers.includes(player)) return 'attacker'
  return entriesOf(battle).some((entry) => owner(entry) === player) ? 'defender' : null
}

/** The names of those who attack, and of those who do not. */
export function sidesOf(battle: Battle): Record<Side, string[]> {
  const attackers = attackingPlayers(battle)
  return { attacker: attackers, defender: ownersOf(battle).filter((name) => !attackers.includes(name)) }
}

/** The names of all sides in the file's order, whoever attacks. */
export function ownersOf(battle: Battle): string[] {
  return [...new Set(entriesOf(battle).flatMap((entry) => owner(entry) ?? []))]
}

function attackingPlayers(battle: Battle): string[] {
  if (Array.isArray(battle.arrivals)) {
    return entries(battle.arrivals).flatMap((entry) => (entry.side === 'attack' ? (owner(entry) ?? []) : []))
  }
  const attack = (battle.attack ?? battle.activation) as Entry | undefined
  const by = typeof attack?.by === 'string' ? ownerOf(battle, attack.by) : null
  return by === null ? [] : [by]
}

function ownerOf(battle: Battle, id: string): string | null {
  const entry = entriesOf(battle).find((entry) => entry.id === id)
  return entry ? owner(entry) : null
}

function owner(entry: Entry): string | null {
  const name = entry.player ?? entry.side
  return typeof name === 'string' ? name : null
}

/** Everything on the table that somebody owns. */
function entriesOf(battle: Battle): Entry[] {
  return Object.values(battle).flatMap((value) =>
    Array.isArray(value) ? entries(value) : isEntry(value) ? [value] : [],
  )
}

function entries(values: Json[]): Entry[] {
  return values.filter(isEntry)
}

function isEntry(value: Json | undefined): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
