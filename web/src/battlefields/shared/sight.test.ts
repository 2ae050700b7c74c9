import { describe, expect, test } from 'vitest'

import type { Tile } from './grid'
import { areas, crossedTiles, type Ground, isInArc, sidesTowards, sight, turned } from './sight'

const CLEAR: Ground = { elevation: 0, obstruction: 'none', height: 0 }

function ground(hexes: Record<string, Partial<Ground>>) {
  return (tile: Tile): Ground => ({ ...CLEAR, ...hexes[tile.join()] })
}

describe('what a line crosses', () => {
  test('along a row, the hexes between', () => {
    expect(crossedTiles([1, 1], [4, 1])).toEqual([[[2, 1]], [[3, 1]]])
  })

  test('straight north, the two hexes on both sides of a side, and the one behind them', () => {
    expect(crossedTiles([3, 5], [3, 1])).toEqual([
      [
        [3, 4],
        [4, 4],
      ],
      [[3, 3]],
      [
        [3, 2],
        [4, 2],
      ],
    ])
  })

  test('between neighbours, nothing', () => {
    expect(crossedTiles([3, 3], [4, 3])).toEqual([])
    expect(crossedTiles([3, 3], [3, 3])).toEqual([])
  })
})

describe('a line of sight', () => {
  const brush: Partial<Ground> = { obstruction: 'hinders' }
  const wood: Partial<Ground> = { obstruction: 'blocks', height: 1 }

  test('is clear over clear ground', () => {
    expect(sight([1, 1], [5, 1], ground({}))).toEqual({ hindering: 0, isBlocked: false, met: [] })
  })

  test('is hindered by what lies between, not by what is at its ends', () => {
    const line = sight([1, 1], [5, 1], ground({ '1,1': brush, '3,1': brush, '5,1': brush }))
    expect([line.hindering, line.isBlocked, line.met]).toEqual([
      1,
      false,
      [{ tile: [3, 1], obstruction: 'hinders' }],
    ])
  })

  test('two hinder, a third blocks', () => {
    expect(sight([1, 1], [5, 1], ground({ '2,1': brush, '3,1': brush })).isBlocked).toBe(false)
    expect(sight([1, 1], [5, 1], ground({ '2,1': brush, '3,1': brush, '4,1': brush })).isBlocked).toBe(true)
  })

  test('is blocked by a wood, unless both look over it from high ground', () => {
    expect(sight([1, 1], [5, 1], ground({ '3,1': wood })).isBlocked).toBe(true)
    const high = { elevation: 2 }
    expect(sight([1, 1], [5, 1], ground({ '1,1': high, '5,1': high, '3,1': wood })).isBlocked).toBe(false)
  })

  test('is blocked by ground above it', () => {
    expect(sight([1, 1], [5, 1], ground({ '3,1': { elevation: 1 } })).isBlocked).toBe(true)
  })

  test('along a side only the lesser of two obstructions counts', () => {
    expect(sight([3, 5], [3, 1], ground({ '3,4': wood })).isBlocked).toBe(false)
    expect(sight([3, 5], [3, 1], ground({ '3,4': wood, '4,4': brush }))).toMatchObject({
      hindering: 1,
      isBlocked: false,
    })
  })
})

describe('facing', () => {
  test('the sides towards another hex are one, or two through a corner', () => {
    expect(sidesTowards([3, 3], [6, 3])).toEqual(['east'])
    expect(sidesTowards([3, 5], [3, 1])).toEqual(['northeast', 'northwest'])
    expect(sidesTowards([3, 3], [3, 3])).toEqual([])
  })

  test('the two sides at the corner it faces are the front, those opposite the rear', () => {
    expect(areas('northeast', ['east'])).toEqual(['front'])
    expect(areas('northeast', ['northwest'])).toEqual(['flank'])
    expect(areas('northeast', ['west'])).toEqual(['rear'])
    expect(areas('northeast', ['southeast', 'southwest'])).toEqual(['flank', 'rear'])
  })

  test('the arc of fire goes through the two front hexes', () => {
    expect(isInArc([3, 3], 'northeast', [6, 3])).toBe(true)
    expect(isInArc([3, 3], 'northeast', [1, 3])).toBe(false)
  })

  test('a turn goes from corner to corner', () => {
    expect([turned('north', 1), turned('north', -1), turned('northwest', 1)]).toEqual([
      'northeast',
      'northwest',
      'north',
    ])
  })
})
