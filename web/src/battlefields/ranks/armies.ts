// The armies of a combat in the order of the round, at one moment of it.

import type { Battle, Json, State } from '../../lib/types'
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
  /** The units that are left at the moment that is shown. */
  left: number
  isHeldBack: boolean
  /** Whether it is still to come. */
  isAway: boolean
  returns: boolean
}

const PLAYERS = ['Red', 'Blue', 'Green', 'Yellow', 'Black', 'White', 'Orange', 'Purple', 'Brown', 'Grey']

type FromFile = Omit<Army, 'left' | 'isHeldBack' | 'isAway' | 'returns'>

/** The Defender's army, and then the arrivals in turn order, as the file has them or at a moment of the combat. */
export function armiesOf(battle: Battle, state: State | null = null): Army[] {
  return armiesInFile(battle).map((army) => {
    const now = table(table(state?.players)[army.player])
    return {
      ...army,
      left: number(table(state?.armies)[army.player], army.units),
      isHeldBack: now.held_back === true,
      isAway: now.arrived === false && now.held_back !== true,
      returns: list(state?.returns).includes(army.player),
    }
  })
}

function armiesInFile(battle: Battle): FromFile[] {
  const arrivals = list(battle.arrivals).map(table)
  const first = arrivals.findIndex((arrival) => arrival.side !== 'defend')
  const defender = table(battle.defender)
  const waiting = arrivals.map((arrival, place): FromFile => ({
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
  const home: FromFile = {
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

/** The battle with an arrival at another turn. */
export function reorderArrivals(battle: Battle, from: number, to: number): Battle {
  const arrivals = [...list(battle.arrivals)]
  const [moved] = arrivals.splice(from, 1)
  if (moved === undefined || to < 0 || to > arrivals.length) return battle
  arrivals.splice(to, 0, moved)
  return { ...battle, arrivals }
}

/** The battle with one army more, of a player who is not there yet. */
export function addArmy(battle: Battle): Battle {
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
