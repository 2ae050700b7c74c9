import { expect, test } from 'vitest'

import { placeBeside } from './popover'

const ROOM = { left: 0, top: 0, width: 700, height: 500 }
const SIZE = { width: 200, height: 150 }
const tile = (left: number, top: number) => ({ left, top, width: 80, height: 80 })

test('a window opens to the right of what it belongs to', () => {
  expect(placeBeside(tile(100, 100), SIZE, ROOM, [])).toMatchObject({ left: 188, top: 100 })
})

test('at the right edge it opens to the left', () => {
  expect(placeBeside(tile(600, 100), SIZE, ROOM, [])).toMatchObject({ left: 392, top: 100 })
})

test('it covers no target if that can be', () => {
  const around = [tile(200, 100), tile(0, 100), tile(100, 200), tile(100, 0)]
  expect(placeBeside(tile(100, 100), SIZE, ROOM, [], around)).toMatchObject({ left: 192, top: 192 })
})

test('it covers neither what it belongs to nor what lies between others, where a gap is left', () => {
  const targets = [tile(0, 0), tile(620, 0), tile(0, 420), tile(620, 420), tile(200, 100)]
  const place = placeBeside(tile(300, 400), SIZE, ROOM, [tile(388, 400)], targets)
  expect(place).toMatchObject({ left: 92, top: 400 })
})

test('it covers as few others as possible', () => {
  const others = [tile(200, 100), tile(0, 100)]
  expect(placeBeside(tile(100, 100), SIZE, ROOM, others)).toMatchObject({ left: 40, top: 188 })
})

test('it stays above the floor', () => {
  expect(placeBeside(tile(100, 400), SIZE, ROOM, [], [], 500)).toMatchObject({ left: 188, top: 350 })
})

test('it reaches below the room rather than covering a target', () => {
  const targets = [tile(310, 250), tile(392, 250)]
  const place = placeBeside(tile(310, 168), { width: 322, height: 350 }, ROOM, [], targets, 720)
  expect(place.top).toBeGreaterThanOrEqual(330)
})
