import { describe, expect, test } from 'vitest'

import {
  around,
  hexDistance,
  hexes,
  hexStep,
  formatTile,
  nearestFree,
  outline,
  squares,
  type Tile,
} from './grid'

describe('squares', () => {
  const grid = squares([1, 1], [4, 3])

  test('a square is found again at its middle and just inside its corners', () => {
    for (const tile of [
      [1, 1],
      [4, 3],
      [2, 2],
    ] as Tile[]) {
      const { x, y } = grid.centre(tile)
      expect([grid.tileAt({ x, y }), grid.tileAt({ x: x - 49, y: y + 49 })]).toEqual([tile, tile])
    }
  })

  test('outside there is no square', () => {
    expect([grid.tileAt({ x: -1, y: 50 }), grid.tileAt({ x: 401, y: 50 })]).toEqual([null, null])
  })

  test('distances go along rows and columns, or a diagonal step is one', () => {
    expect(grid.distance([1, 1], [4, 3])).toBe(5)
    expect(squares([1, 1], [4, 3], true).distance([1, 1], [4, 3])).toBe(3)
  })

  test('a window that begins further in has its first square at its corner', () => {
    const window = squares([5, 7], [9, 9])
    expect(window.tileAt({ x: 10, y: 10 })).toEqual([5, 7])
    expect(window.centre([5, 7])).toEqual({ x: 50, y: 50 })
  })

  test('the outline goes round the four corners', () => {
    expect(outline(grid, [1, 1])).toBe('M0.0 0.0L100.0 0.0L100.0 100.0L0.0 100.0Z')
  })
})

describe('hexes', () => {
  const grid = hexes([5, 4])

  test('every hex is found again at its middle and near each of its corners', () => {
    for (let row = 1; row <= 4; row++) {
      for (let column = 1; column <= 5; column++) {
        const centre = grid.centre([column, row])
        const near = grid.corners([column, row]).map((corner) => ({
          x: centre.x + 0.95 * (corner.x - centre.x),
          y: centre.y + 0.95 * (corner.y - centre.y),
        }))
        expect([centre, ...near].map((point) => grid.tileAt(point))).toEqual(Array(7).fill([column, row]))
      }
    }
  })

  test('odd rows lie half a hex to the right', () => {
    expect(grid.centre([1, 1]).x - grid.centre([1, 2]).x).toBe(50)
  })

  test('six steps round a hex lead back to it', () => {
    const walk = grid.directions.reduce<Tile>((at, way) => hexStep(at, way), [3, 3])
    expect(walk).toEqual([3, 3])
  })

  test('steps from an odd and an even row', () => {
    expect(grid.directions.map((way) => hexStep([3, 3], way))).toEqual([
      [4, 2],
      [4, 3],
      [4, 4],
      [3, 4],
      [2, 3],
      [3, 2],
    ])
    expect(hexStep([3, 2], 'northeast')).toEqual([3, 1])
    expect(hexStep([3, 2], 'southwest')).toEqual([2, 3])
  })

  test('distances are counted in steps', () => {
    expect([
      hexDistance([1, 1], [1, 1]),
      hexDistance([1, 1], [4, 1]),
      hexDistance([1, 1], [1, 3]),
      hexDistance([2, 4], [8, 4]),
      hexDistance([1, 1], [3, 4]),
    ]).toEqual([0, 3, 2, 6, 3])
  })

  test('six hexes are next to one in the middle', () => {
    expect(around(grid, [3, 3], 1)).toHaveLength(6)
  })
})

test('around a square within two steps lie twelve, as far as the board goes', () => {
  expect(around(squares([1, 1], [9, 9]), [5, 5], 2)).toHaveLength(12)
  expect(around(squares([1, 1], [9, 9]), [1, 1], 2)).toHaveLength(5)
})

test('the nearest free tile is the tile itself, then a neighbour; none on a full board', () => {
  const grid = squares([1, 1], [2, 1])
  expect(nearestFree(grid, [1, 1], [])).toEqual([1, 1])
  expect(nearestFree(grid, [1, 1], [[1, 1]])).toEqual([2, 1])
  expect(
    nearestFree(
      grid,
      [1, 1],
      [
        [1, 1],
        [2, 1],
      ],
    ),
  ).toBeNull()
})

test('a tile in words', () => {
  expect(formatTile([2, 3])).toBe('column 2, row 3')
})
