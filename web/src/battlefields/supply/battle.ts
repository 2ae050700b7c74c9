// A supply battle as it is drawn: the part of the map that matters, and the cards as they are now.

import type { Event, Result } from '../../lib/types'
import { type Grid, squares, type Tile } from '../shared/grid'
import { number, table } from '../shared/read'
import type { Unit } from '../shared/units'

export interface Card {
  strength: number
  supply: number
}

const LEAST: Tile = [7, 5]
const MOST = 60

/** The chapter's board has no size: so much is drawn that every unit has room around it. */
export function gridAround(tiles: readonly Tile[], diagonal: boolean, attack: Tile | null): Grid {
  const [left, right] = span(
    tiles.map((tile) => tile[0]),
    LEAST[0],
    attack?.[0],
  )
  const [top, bottom] = span(
    tiles.map((tile) => tile[1]),
    LEAST[1],
    attack?.[1],
  )
  return squares([left, top], [right, bottom], diagonal)
}

function span(places: readonly number[], least: number, near = 1): [number, number] {
  const close = places.filter((place) => Math.abs(place - near) <= MOST / 2)
  const lowest = Math.min(...close, near)
  const first = Math.max(1, lowest - 1 <= 3 ? 1 : lowest - 1)
  return [first, Math.max(first + least - 1, Math.max(...close, near) + 1)]
}

/** The cards as the result says, or as far as the events tell. */
export function cardsNow(
  units: readonly Unit[],
  result: Result | null,
  events: readonly Event[],
): Map<string, Card> {
  const cards = new Map(
    units.map(({ id, raw }) => [id, { strength: number(raw.strength), supply: number(raw.supply) }]),
  )
  for (const [id, card] of Object.entries(table(result?.units))) {
    cards.set(id, { strength: number(table(card).strength), supply: number(table(card).supply) })
  }
  if (!result) for (const event of events) tell(units, cards, event.what)
  return cards
}

function tell(units: readonly Unit[], cards: Map<string, Card>, what: string) {
  const unit = units.find(({ id, side }) => what.startsWith(`${id} (${side})`))
  const card = unit && cards.get(unit.id)
  if (!card) return
  const said = what.slice(`${unit.id} (${unit.side})`.length)
  const strength = /^: strength \d+ → (\d+)/.exec(said)?.[1]
  const supply = /^ (?:pays|captures) \d+ supply, (\d+)/.exec(said)?.[1]
  if (strength) card.strength = Number(strength)
  if (supply) card.supply = Number(supply)
  if (said.startsWith(' is destroyed')) Object.assign(card, { strength: 0, supply: 0 })
}
