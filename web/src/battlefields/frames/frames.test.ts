import { fireEvent, screen, within } from '@testing-library/svelte'
import { describe, expect, test } from 'vitest'

import type { TurnView } from '../../lib/turns'
import type { AttackValue, Battle } from '../../lib/types'
import { given } from '../../testing/given'
import { battlesOf, systemOf } from '../../testing/examples'
import {
  withAim,
  cast,
  convertAttack,
  framesOf,
  removePiece,
  refitFrame,
  renamePiece,
  shotsOf,
  terrainOf,
  turnOf,
  withShot,
} from './frames'
import Battlefield from './Battlefield.svelte'
import { poolOf, readLoadout, roomFor, writeLoadout } from './loadout'

const FRAMES = systemOf('frames')
const BATTLES = battlesOf('frames')

const WALL = BATTLES['ragged wall'] as Battle
const BOTH = BATTLES['wall or comrade'] as Battle
const TURN = BATTLES['the tanks turn'] as Battle

const SHOTS = BATTLES['spot then fire'] as Battle

const card = (name: RegExp) => screen.getByRole('button', { name })
const frame = (battle: Battle, id: string) => {
  const one = framesOf(battle).find((other) => other.id === id)
  if (!one) throw new Error(id)
  return one
}

describe('loadouts', () => {
  test.each([
    'WWBGYRdRd',
    'WWBBYRdRd',
    'WWBYRdRdR8d',
    'WWBBRaRaR8a',
    'WWBBG8RhRhR8h',
    'WWBBYYG8',
    'WWG8',
    'WBG8R8r',
  ])('%s is read and written again', (word) => {
    const read = readLoadout(word)
    expect(read && writeLoadout(read)).toBe(word)
  })

  test('a word that is not made of dice is none', () => {
    expect([readLoadout('WWQ'), readLoadout(''), readLoadout('WWRx')]).toEqual([null, null, null])
  })

  test('one weapon is two red d6, two are a d8 more; without a ranged weapon there is a sprint die', () => {
    const names = (word: string) =>
      poolOf(readLoadout(word) ?? { systems: [], white: 0, rockets: 0 }).map(({ die }) => die)
    expect(names('WWBYRdRdR8d')).toEqual([
      'white d6',
      'white d6',
      'blue d6',
      'yellow d6',
      'red d6',
      'red d6',
      'red d8',
    ])
    expect(names('WG8R8r')).toEqual(['white d6', 'green d8', 'red d8'])
  })

  test('a frame has room for four systems, two of a kind', () => {
    expect(roomFor(['defense', 'defense', 'hand', 'hand'])).toEqual([])
    expect(roomFor(['defense', 'defense'])).toEqual(['movement', 'spotting', 'hand', 'direct', 'artillery'])
  })
})

describe('the table', () => {
  test.each(Object.entries(BATTLES))('shows all frames and terrain of %s', (_, battle) => {
    given(Battlefield, FRAMES, battle)
    for (const { id } of [...framesOf(battle), ...terrainOf(battle)]) {
      expect(screen.getAllByText(id).length).toBeGreaterThan(0)
    }
  })

  test('shows attacker, cover and target in their parts', () => {
    given(Battlefield, FRAMES, WALL)
    expect(card(/^attacks Ekauechihé Sebastian/)).toBeTruthy()
    expect(card(/^covers wall stands 1 hit/)).toBeTruthy()
    expect(card(/^target, direct range Osprey Joshua.*grenade launcher.*WWBBYRdRd/)).toBeTruthy()
  })

  test('shows the dice in their colours, and what they make', () => {
    given(Battlefield, FRAMES, WALL)
    expect(screen.getAllByRole('img').map((die) => die.getAttribute('aria-label'))).toEqual([
      'red d6 showing 3',
      'yellow d6 showing 5',
      'blue d6 showing 5',
    ])
    expect(screen.getByText(/^a miss,/).textContent).toBe('a miss, with the spot 3 damage dice')
  })

  test('nothing is a miss before there is an attack', () => {
    given(Battlefield, FRAMES, { ...WALL, attack: undefined })
    expect(screen.queryByText('a miss')).toBeNull()
  })

  test('terrain as a target has neither spot nor defense', () => {
    given(Battlefield, FRAMES, BATTLES['tear down the bunker'] as Battle)
    expect(screen.queryByLabelText('spot')).toBeNull()
    expect(screen.getByText('6 damage dice')).toBeTruthy()
  })

  test('shows the pool of a frame that has its turn, and a defense that is not rolled yet', () => {
    given(Battlefield, FRAMES, BATTLES['one rocket left'] as Battle)
    expect(screen.getByText('rolls its pool: 1 white d6, 1 green d8, 1 red d8')).toBeTruthy()
    expect(screen.getByRole('img', { name: 'blue d6 showing ?' })).toBeTruthy()
    expect((screen.getByLabelText('rolls when attacked') as HTMLInputElement).checked).toBe(true)
  })

  test('marks those at stations', () => {
    given(Battlefield, FRAMES, BATTLES['last stand at the station'] as Battle)
    expect(card(/holdout.*at 2 stations/)).toBeTruthy()
  })

  test('shows what became of everything', () => {
    const lost = (...flags: boolean[]) => flags.map((flag) => ({ name: '', kind: '', lost: flag }))
    const moment = {
      frames: {
        recon: { carried: lost(true, true, true, false), white: 2 },
        comrade: { carried: lost(true, true), white: 0 },
      },
      terrain: { 'low wall': { hits: 0 } },
      abandoned: ['recon'],
      scores: { Mina: 21, Ayo: 36 },
    }
    const { container } = given(Battlefield, FRAMES, BOTH, { moment, readonly: true })
    expect(card(/comrade.*destroyed/)).toBeTruthy()
    expect(card(/low wall hits 1 → 0/)).toBeTruthy()
    expect(card(/recon.*abandons its position/)).toBeTruthy()
    expect(container.querySelectorAll('.name.lost')).toHaveLength(5)
    expect(screen.getByText('Scores: Mina 21 · Ayo 36')).toBeTruthy()
  })
})

describe('changes', () => {
  test('the dice are set', async () => {
    const { battle } = given(Battlefield, FRAMES, WALL)
    await fireEvent.click(screen.getByRole('button', { name: 'more: attack' }))
    await fireEvent.click(screen.getByRole('button', { name: 'no spot' }))
    expect(battle().attack).toEqual({
      by: 'Ekauechihé',
      on: 'Osprey',
      range: 'direct',
      attack: 4,
      defense: 5,
      cover: 'wall',
    })
    await fireEvent.click(screen.getByLabelText('artillery'))
    expect(battle().attack).toMatchObject({ range: 'artillery' })
  })

  test('a frame is picked by a key, and then a part in the attack is given to it', async () => {
    const { battle } = given(Battlefield, FRAMES, BATTLES['shield bearer'] as Battle)
    const tank = card(/^covers tank/)
    tank.focus()
    await fireEvent.click(tank)
    await fireEvent.click(screen.getByRole('button', { name: 'attacks' }))
    expect(battle().attack).toEqual({
      by: 'tank',
      on: 'artillerist',
      range: 'direct',
      attack: 6,
      defense: 2,
      spot: 4,
    })
    await fireEvent.click(card(/soldier Red/))
    await fireEvent.click(screen.getByRole('button', { name: 'is the target' }))
    expect(battle().attack).toMatchObject({ by: 'tank', on: 'soldier' })
  })

  test('a system is removed and one is added, in the file’s own way of writing', async () => {
    const { battle } = given(Battlefield, FRAMES, WALL, { picked: 'frames[0]' })
    await fireEvent.click(screen.getByRole('button', { name: 'remove sensor pod, spotting' }))
    await fireEvent.change(screen.getByLabelText('add a system'), { target: { value: 'movement' } })
    expect(frame(battle(), 'Osprey').systems.map(({ name }) => name)).toEqual([
      'grenade launcher',
      'body armor',
      'shield',
      'movement',
    ])
    expect(frame(battle(), 'Osprey').isWord).toBe(false)
  })

  test('a loadout stays a loadout', () => {
    const next = refitFrame(WALL, frame(WALL, 'Ekauechihé'), { white: 1, rockets: 2 })
    expect(frame(next, 'Ekauechihé')).toMatchObject({ loadout: 'WBYRdRdR8dR8rR8r', isWord: true })
  })

  test('a loadout is typed', async () => {
    const { battle } = given(Battlefield, FRAMES, WALL, { picked: 'frames[0]' })
    await fireEvent.change(screen.getByLabelText('loadout'), { target: { value: 'WWG8' } })
    expect(battle().frames).toMatchObject([{ id: 'Osprey', player: 'Joshua', loadout: 'WWG8' }, {}])
    expect(battle().frames).not.toMatchObject([{ systems: expect.anything() }, {}])
  })

  test('frames and terrain are added and removed', async () => {
    const { battle } = given(Battlefield, FRAMES, WALL)
    await fireEvent.change(screen.getByLabelText('from the roster'), { target: { value: 'Bare' } })
    await fireEvent.click(screen.getByRole('button', { name: 'Add frame' }))
    expect(framesOf(battle()).at(-1)).toMatchObject({ id: 'bare', player: 'Joshua', loadout: 'WWG8' })
    await fireEvent.click(screen.getByRole('button', { name: 'Add terrain' }))
    expect(terrainOf(battle()).map(({ id }) => id)).toEqual(['wall', 'wall 2'])
    await fireEvent.click(card(/^covers wall/))
    await fireEvent.click(screen.getByRole('button', { name: 'Remove wall' }))
    expect(terrainOf(battle()).map(({ id }) => id)).toEqual(['wall 2'])
    expect(battle().attack).not.toHaveProperty('cover')
  })

  test('a frame that is removed or renamed takes its part in the attack along', () => {
    expect(removePiece(BOTH, 'frames[1]', 'comrade').attack).toMatchObject({ cover: 'low wall' })
    expect(renamePiece(BOTH, 'recon', 'eyes').attack).toMatchObject({
      on: 'eyes',
      cover: ['low wall', 'comrade'],
    })
  })

  test('one terrain and one frame cover at most, and nobody covers itself', () => {
    const covered = cast(cast(WALL, 'wall', 'cover'), 'Ekauechihé', 'cover')
    expect(covered.attack).toMatchObject({ cover: 'Ekauechihé' })
    expect(cast(covered, 'Ekauechihé', 'on').attack).not.toHaveProperty('cover')
  })

  test('terrain that becomes the target has no defense, no spot and no cover', () => {
    expect(cast(WALL, 'wall', 'on').attack).toEqual({
      by: 'Ekauechihé',
      on: 'wall',
      range: 'direct',
      attack: 3,
    })
  })

  test('an attack becomes a frame’s turn and back', () => {
    const turn = convertAttack(WALL, 'activation')
    expect([turn.attack, turn.activation]).toEqual([
      undefined,
      { by: 'Ekauechihé', on: 'Osprey', range: 'direct', defense: 5, spot: 5, cover: 'wall' },
    ])
    expect(convertAttack(TURN, 'attack').attack).toMatchObject({
      by: 'tank',
      on: 'soldier',
      defense: 3,
      attack: 4,
    })
  })

  test('a fault is shown at its die and at its frame', () => {
    const faults = [
      { place: 'attack.defense', message: 'expected 0 to 6' },
      { place: 'frames[0].systems', message: '5 systems' },
    ]
    given(Battlefield, FRAMES, WALL, { faults, picked: 'frames[0]' })
    expect(screen.getByLabelText('defense').getAttribute('aria-invalid')).toBe('true')
    expect(within(screen.getByRole('region', { name: 'Osprey' })).getByText('5 systems')).toBeTruthy()
    expect(card(/Osprey.*has a fault/)).toBeTruthy()
  })
})

test('a turn shows the attack that is looked at, or else the first of its plan', async () => {
  const turn: TurnView = {
    side: 'Red',
    attacks: [],
    plan: [{ number: 1, by: 'scout', on: 'osprey' }],
    advises: true,
    aimed: null,
    aim: () => undefined,
    declare: null,
  }
  const { rerender } = given(Battlefield, FRAMES, SHOTS, { turn })
  expect([card(/^attacks scout/), card(/^target, hand to hand osprey/), card(/^covers wall/)]).toHaveLength(3)
  const aimed = { id: 'gunner on recon', by: 'gunner', on: 'recon' } as AttackValue
  await rerender({ turn: { ...turn, aimed } })
  expect([card(/^attacks gunner/), card(/^covers wall/), card(/^target, direct range recon/)]).toHaveLength(3)
})

describe('the attacks of a turn', () => {
  const shots = (battle: Battle) => shotsOf(battle).map(({ by, on, range, cover }) => [by, on, range, cover])

  test('are changed, added and removed where they stand', async () => {
    const { battle } = given(Battlefield, FRAMES, SHOTS)
    const list = within(screen.getByRole('region', { name: 'Attacks of the turn' }))
    await fireEvent.change(list.getByRole('combobox', { name: 'target, attack 2' }), {
      target: { value: 'wall' },
    })
    expect(shots(battle())[1]).toEqual(['gunner', 'wall', 'direct', undefined])
    await fireEvent.change(list.getByRole('combobox', { name: 'cover, attack 1' }), {
      target: { value: '"wall"' },
    })
    expect(shots(battle())[0]).toEqual(['scout', 'osprey', 'hand', 'wall'])
    await fireEvent.click(list.getByRole('button', { name: 'Remove attack 5' }))
    expect(shots(battle())).toHaveLength(4)
    await fireEvent.click(list.getByRole('button', { name: 'Add an attack' }))
    expect(shots(battle()).at(-1)).toEqual(['scout', 'recon', 'direct', undefined])
  })

  test('no attack is offered twice, and none is added when all are there', () => {
    let battle: Battle | null = SHOTS
    for (let next = withShot(SHOTS, false); next; next = withShot(next, false)) battle = next
    const pairs = shotsOf(battle).map(({ by, on }) => `${by} ${on}`)
    expect([pairs.length, new Set(pairs).size]).toEqual([6, 6])
  })

  test('are those of the player whose turn it is', () => {
    expect(turnOf(SHOTS, 'Red')).toEqual(SHOTS)
    expect(turnOf(SHOTS, 'Blue').turn).toEqual({ player: 'Blue', shots: [] })
  })

  test('take a new name along, and go with whoever is removed', () => {
    expect(shots(renamePiece(SHOTS, 'scout', 'eye'))[0]).toEqual(['eye', 'osprey', 'hand', undefined])
    expect(shots(removePiece(SHOTS, 'terrain[0]', 'wall')).map(([, , , cover]) => cover)).toEqual(
      Array.from({ length: 5 }, () => undefined),
    )
    expect(shots(removePiece(SHOTS, frame(SHOTS, 'osprey').place, 'osprey')).map(([by]) => by)).toEqual([
      'gunner',
      'veteran',
    ])
  })

  test('begin with the attack that stood there, and the first becomes one attack again', () => {
    const turn = convertAttack(BOTH, 'turn')
    const { by, on, range, cover } = BOTH.attack as Record<string, unknown>
    expect([turn.attack, shots(turn)]).toEqual([undefined, [[by, on, range, cover]]])
    const { turn: left, attack } = convertAttack(SHOTS, 'attack')
    expect([left, attack]).toEqual([undefined, { by: 'scout', on: 'osprey', range: 'hand', attack: 4 }])
  })

  test('are drawn on the table as arrows', () => {
    expect(withAim(SHOTS, 'scout', 'osprey')).toEqual(SHOTS)
    expect(
      shots(withAim(SHOTS, 'scout', 'wall'))
        .at(-1)
        ?.slice(0, 2),
    ).toEqual(['scout', 'wall'])
  })
})
