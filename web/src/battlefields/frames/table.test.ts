import { fireEvent, screen } from '@testing-library/svelte'
import { describe, expect, test } from 'vitest'

import type { Battle } from '../../lib/types'
import { battlesOf, playsOf, systemOf } from '../../testing/examples'
import { given } from '../../testing/given'
import Battlefield from './Battlefield.svelte'
import { placeLabels } from './labels'
import { toNumbers, toTable } from './switching'
import {
  fit,
  freePlace,
  geometryOf,
  isIn,
  measureDistance,
  movePiece,
  type Piece,
  piecesOf,
  placePiece,
  rotateOutline,
  piecesOffTable,
  withStation,
  zoomIn,
} from './table'

const FRAMES = systemOf('frames')
const BATTLES = battlesOf('frames')
const WALL = BATTLES['ragged wall on the table'] as Battle
const RELAY = BATTLES['give up the relay'] as Battle
const ON_TABLES = playsOf('frames').filter(({ battle }) => battle.table !== undefined)

const piece = (battle: Battle, id: string): Piece => {
  const wanted = piecesOf(battle, null, 0.25).find((one) => one.id === id)
  if (!wanted) throw new Error(id)
  return wanted
}
const startOf = (battle: Battle) => {
  const { response } = playsOf('frames').find((play) => play.battle === battle) ?? {}
  return { battle, state: response?.events[0]?.state ?? response?.state ?? {} }
}

describe('pieces', () => {
  test('terrain lies below stations, and those below frames', () => {
    expect(piecesOf(RELAY, null, 0.25).map(({ kind, id }) => [kind, id])).toEqual([
      ['station', 'relay'],
      ['station', 'depot'],
      ['frame', 'guard'],
      ['frame', 'artillerist'],
    ])
    expect(piecesOf(WALL, null, 0.25)[0]?.kind).toBe('terrain')
  })

  test('a frame stands where the engine says, and has come from where the file says', () => {
    const state = { frames: { guard: { at: [21, 18] }, artillerist: { at: null } } }
    const [guard, artillerist] = piecesOf(RELAY, state, 0.25).slice(2)
    expect([guard?.at, guard?.from]).toEqual([
      { x: 21, y: 18 },
      { x: 20, y: 18 },
    ])
    expect([artillerist?.at, artillerist?.from]).toEqual([{ x: 32, y: 14 }, null])
  })

  test('what is moved stays on the table, in hundredths of a unit', () => {
    const guard = piece(RELAY, 'guard')
    expect(piece(movePiece(RELAY, guard, { x: 1.23456, y: -3 }), 'guard').at).toEqual({ x: 21.23, y: 15 })
    expect(piece(movePiece(RELAY, guard, { x: -99, y: 99 }), 'guard').at).toEqual({ x: 0, y: 36 })
  })

  test('terrain keeps its shape when it is moved or turned', () => {
    const wall = piece(WALL, 'wall')
    const sides = ({ corners }: Piece) =>
      corners.map((corner, place) => measureDistance(corner, corners[(place + 1) % corners.length] ?? corner))
    const next = piece(movePiece(WALL, wall, { x: 5, y: 5 }), 'wall')
    for (const other of [next, { ...wall, corners: rotateOutline(wall, 30) }])
      expect(sides(other).map((side) => side.toFixed(1))).toEqual(sides(wall).map((side) => side.toFixed(1)))
    expect(next.at.x).toBeCloseTo(wall.at.x + 5, 1)
  })

  test('what is new stands apart from everything else', () => {
    const all = piecesOf(WALL, null, 0.25)
    const free = freePlace(all, { x: 48, y: 36 })
    expect(Math.min(...all.map(({ at }) => measureDistance(at, free)))).toBeGreaterThan(2)
    expect(piecesOf(withStation(WALL), null, 0).filter(({ kind }) => kind === 'station')).toHaveLength(1)
  })

  test('what has no place is given one', () => {
    const added: Battle = { ...WALL, terrain: [...(WALL.terrain as []), { id: 'new', hits: 1 }] }
    expect(piecesOffTable(added)).toEqual(['terrain[1]'])
    expect(piecesOffTable(placePiece(added, 'terrain[1]'))).toEqual([])
  })
})

describe('what is seen', () => {
  const size = { x: 48, y: 36 }

  test('all points are in the picture, which has the shape of the screen', () => {
    const points = [
      { x: 3, y: 3 },
      { x: 5, y: 30 },
    ]
    const box = fit(points, size, 0.5)
    expect(points.every((point) => isIn(box, point))).toBe(true)
    expect(box.height / box.width).toBeCloseTo(0.5)
  })

  test('a point stays where it is while the table is seen closer', () => {
    const around = { x: 10, y: 10 }
    const [before, after] = [fit([around], size, 1), zoomIn(fit([around], size, 1), 2, around)]
    const place = (box: typeof before) => [(10 - box.x) / box.width, (10 - box.y) / box.height]
    expect(place(after)).toEqual(place(before))
    expect(after.width).toBe(before.width / 2)
  })

  test('names do not cover each other', () => {
    const named = (x: number) => ({ at: { x, y: 100 }, up: 10, down: 10, side: 10, lines: ['Osprey'] })
    const tops = placeLabels([named(0), named(20), named(40)])
    expect(new Set(tops).size).toBe(3)
    expect(placeLabels([named(0), named(300)])).toEqual([tops[0], tops[0]])
  })
})

describe('from numbers to a table and back', () => {
  test.each(ON_TABLES)('$name comes back from its numbers as it was', ({ battle }) => {
    const { battle: numbers, kept } = toNumbers(battle, geometryOf(startOf(battle).state))
    expect([numbers.table, numbers.stations]).toEqual([undefined, undefined])
    expect(JSON.stringify(numbers)).not.toMatch(/"(at|outline|height|radius)"/)
    expect(toTable(numbers, kept)).toEqual(battle)
  })

  test('what was measured stands in the numbers', () => {
    const { battle } = toNumbers(RELAY, geometryOf(startOf(RELAY).state))
    expect(battle.attack).toMatchObject({ range: 'artillery', near_station: 1 })
    expect(battle.scores).toMatchObject({ Blue: { stations: 1 }, Red: { stations: 1 } })
    expect(toNumbers(WALL, geometryOf(startOf(WALL).state)).battle.attack).toMatchObject({
      range: 'direct',
      cover: 'wall',
    })
  })

  test('a number that was changed meanwhile stays', () => {
    const { battle, kept } = toNumbers(WALL, geometryOf(startOf(WALL).state))
    const changed = { ...battle, attack: { ...(battle.attack as object), cover: [] } }
    expect(toTable(changed, kept).attack).toMatchObject({ cover: [] })
  })

  test.each(Object.entries(BATTLES).filter(([, battle]) => battle.table === undefined))(
    'all of %s gets a place',
    (_, battle) => {
      expect(piecesOffTable(toTable(battle, null))).toEqual([])
    },
  )
})

describe('the picture', () => {
  const name = (place: RegExp) => screen.getByRole('button', { name: place })

  test.each(ON_TABLES)('$name: frames stand where the engine says', ({ battle, response }) => {
    for (const { state } of response.events) {
      const { unmount } = given(Battlefield, FRAMES, battle, { moment: state, readonly: true })
      for (const [id, frame] of Object.entries(state.frames as Record<string, { at: number[] | null }>)) {
        const where = frame.at
          ? `at ${frame.at.map((part) => Math.round(part * 100) / 100).join(', ')}`
          : 'destroyed'
        const drawn = [...document.querySelectorAll('.piece')].map((one) => one.getAttribute('aria-label'))
        expect(drawn.find((words) => words?.startsWith(`${id}, `))).toContain(where)
      }
      unmount()
    }
  })

  test('says how far it is, and why a wall covers', () => {
    given(Battlefield, FRAMES, WALL, { start: startOf(WALL) })
    const said = screen.getByRole('region', { name: 'Measured' })
    expect(said.textContent).toContain('5.52 units')
    expect(said.textContent).toContain('covers: 0.35 from the target, in the line of attack')
    expect(name(/^wall, 4 bricks high, stands 1 hit, .*covers the target$/)).toBeTruthy()
  })

  test('what is measured is old until the engine has seen the table as it is', () => {
    given(Battlefield, FRAMES, { ...WALL, terrain: [] }, { start: startOf(WALL) })
    expect(screen.getByRole('region', { name: 'Measured' }).getAttribute('aria-busy')).toBe('true')
  })

  test('arrow keys move what is picked, and go from one to the next otherwise', async () => {
    const { battle } = given(Battlefield, FRAMES, WALL, { start: startOf(WALL) })
    const frame = name(/^Ekauechihé, /)
    frame.focus()
    await fireEvent.keyDown(frame, { key: 'ArrowLeft' })
    expect(document.activeElement?.getAttribute('aria-label')).toMatch(/^wall, /)
    await fireEvent.keyDown(frame, { key: 'Enter' })
    await fireEvent.keyDown(frame, { key: 'ArrowLeft' })
    await fireEvent.keyDown(frame, { key: 'ArrowDown', shiftKey: true })
    expect(piece(battle(), 'Ekauechihé').at).toEqual({ x: 25.9, y: 13.5 })
  })

  test('the spot that lies on the target is shown with the dice, and changed where it lies', async () => {
    const { battle } = given(Battlefield, FRAMES, WALL)
    expect(screen.getByRole('img', { name: 'yellow d6 showing 5' })).toBeTruthy()
    await fireEvent.click(screen.getByRole('button', { name: 'less: spot' }))
    expect(battle().frames).toMatchObject([{ spot: 4 }, {}, {}])
    expect(battle().attack).not.toHaveProperty('spot')
  })

  test('stations are added, held and removed', async () => {
    const { battle } = given(Battlefield, FRAMES, WALL)
    await fireEvent.click(screen.getByRole('button', { name: 'Add station' }))
    await fireEvent.change(screen.getByLabelText('held by'), { target: { value: 'Joshua' } })
    expect(battle().stations).toMatchObject([{ id: 'station', holder: 'Joshua' }])
    await fireEvent.click(screen.getByRole('button', { name: 'Remove station' }))
    expect(battle().stations).toEqual([])
  })

  test('places may have fractions', async () => {
    const { battle } = given(Battlefield, FRAMES, WALL, { picked: 'frames[1]' })
    await fireEvent.input(screen.getByRole('spinbutton', { name: 'x, at, Doajihé' }), {
      target: { value: '27.25' },
    })
    expect(piece(battle(), 'Doajihé').at).toEqual({ x: 27.25, y: 16 })
  })
})
