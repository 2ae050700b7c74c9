// A combat of ranks as it is drawn: armies in the order of the round, and how many of each are left.

import type { Battle, Event, Json, Result } from '../../lib/types'
import { freshName } from '../shared/kinds'
import { list, number, table, text } from '../shared/read'

export interface Army {
  place: string
  player: string
  /** The side it fights on; the Defender's army is there from the start. */
  side: 'attack' | 'defend'
  units: number
  isDefender: boolean
  isAttacker: boolean
  optional: boolean
  /** The turn at which it arrives, from 1; 0 for the Defender. */
  turn: number
}

export interface Fared {
  left: number
  isHeldBack: boolean
  returns: boolean
}

const PLAYERS = ['Red', 'Blue', 'Green', 'Yellow', 'Black', 'White', 'Orange', 'Purple', 'Brown', 'Grey']

/** The Defender's army, and then the arrivals in turn order. */
export function armiesOf(battle: Battle): Army[] {
  const arrivals = list(battle.arrivals).map(table)
  const first = arrivals.findIndex((arrival) => arrival.side !== 'defend')
  const defender = table(battle.defender)
  const waiting = arrivals.map((arrival, place): Army => ({
    place: `arrivals[${place}]`,
    player: text(arrival.player, `army ${place + 1}`),
    side: arrival.side === 'defend' ? 'defend' : 'attack',
    units: number(arrival.units),
    isDefender: false,
    isAttacker: place === first,
    optional: arrival.optional === true,
    turn: place + 1,
  }))
  if (battle.defender === undefined) return waiting
  const home: Army = {
    place: 'defender',
    player: text(defender.player, 'the Defender'),
    side: 'defend',
    units: number(defender.units),
    isDefender: true,
    isAttacker: false,
    optional: false,
    turn: 0,
  }
  return [home, ...waiting]
}

/** How every army has fared, as the result says or as far as the events tell. */
export function faredNow(
  armies: readonly Army[],
  result: Result | null,
  events: readonly Event[],
): Map<string, Fared> {
  const left = table(result?.armies)
  const returns = list(result?.returns)
  const fared = new Map(
    armies.map(({ player, units }) => [
      player,
      { left: number(left[player], units), isHeldBack: false, returns: returns.includes(player) },
    ]),
  )
  for (const event of events) if (event.kind === 'change') tell(fared, event.what, result === null)
  return fared
}

function tell(fared: Map<string, Fared>, what: string, isUnderWay: boolean) {
  const [, held] = /^(.*) holds \d+ units? back$/.exec(what) ?? []
  const [, loser, left] = /^(.*): \d+ → (\d+) units?$/.exec(what) ?? []
  const army = fared.get(held ?? loser ?? '')
  if (army && held) army.isHeldBack = true
  if (army && left && isUnderWay) army.left = Number(left)
}

/** The battle with an arrival at another turn. */
export function reordered(battle: Battle, from: number, to: number): Battle {
  const arrivals = [...list(battle.arrivals)]
  const [moved] = arrivals.splice(from, 1)
  if (moved === undefined || to < 0 || to > arrivals.length) return battle
  arrivals.splice(to, 0, moved)
  return { ...battle, arrivals }
}

/** The battle with one army more, of a player who is not there yet. */
export function joined(battle: Battle): Battle {
  const players = armiesOf(battle).map((army) => army.player)
  const player = PLAYERS.find((name) => !players.includes(name)) ?? freshName('Ally', players)
  const arrival: Json = { player, side: 'attack', units: 2 }
  if (battle.defender === undefined) return { ...battle, defender: { player, units: 2 } }
  return { ...battle, arrivals: [...list(battle.arrivals), arrival] }
}

/** `1st`, `2nd`, `3rd`, `4th`. */
export function ordinal(turn: number): string {
  const ends: Record<number, string> = { 1: 'st', 2: 'nd', 3: 'rd' }
  const isTeen = Math.floor((turn % 100) / 10) === 1
  return `${turn}${isTeen ? 'th' : (ends[turn % 10] ?? 'th')}`
}
