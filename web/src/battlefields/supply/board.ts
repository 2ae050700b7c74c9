// The part of the endless map that a supply battle needs.

import { type Grid, squares, type Tile } from '../shared/grid'

const LEAST: Tile = [7, 5]
const MOST = 60

/** The rules give the board no size; the drawn part leaves a margin around every unit. */
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
