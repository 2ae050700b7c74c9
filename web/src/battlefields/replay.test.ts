// Every example, played by the engine, is drawn step by step: what the map says is what the engine's state says.

import type { Component } from 'svelte'
import { describe, expect, test } from 'vitest'

import { sceneOf } from '../lib/scene'
import { Looks } from '../lib/sides'
import type { State } from '../lib/types'
import { type Played, playsOf, systemOf } from '../testing/examples'
import { given } from '../testing/given'
import Assault from './assault/Battlefield.svelte'
import { cardsOf, profileOf } from './assault/figures'
import Frames from './frames/Battlefield.svelte'
import Generic from './generic/Battlefield.svelte'
import Ranks from './ranks/Battlefield.svelte'
import { list, number, table, type Table, text } from './shared/read'
import Supply from './supply/Battlefield.svelte'
import Tower from './tower/Battlefield.svelte'
import type { BattlefieldProps } from './types'

type Drawn = Record<string, unknown>

/** What is drawn at the moment after every step, and in the end, beside the engine's state of it. */
function replay(
  Battlefield: Component<BattlefieldProps>,
  { battle, response }: Played,
  drawn: () => Drawn,
  wanted: (state: State) => Drawn,
) {
  for (const step of [...response.events.keys(), null]) {
    const scene = sceneOf({ ...response, battle }, step)
    const looks = new Looks(Object.keys(response.sides), response.sides)
    const more = { looks, moment: scene.state, shot: scene.shot, readonly: true }
    const { unmount } = given(Battlefield, systemOf(battle.system), battle, more)
    expect(drawn(), `step ${step}`).toEqual(wanted(scene.state ?? {}))
    unmount()
  }
}

/** The accessible names of all pieces on the board, by their ids. */
function pieces(battle: Played['battle']): Map<string, string> {
  const names = [...document.querySelectorAll('.piece')].map(
    (piece) => piece.getAttribute('aria-label') ?? '',
  )
  return new Map(
    list(battle.units).map((unit) => {
      const id = text(table(unit).id)
      return [id, names.find((name) => name.startsWith(`${id}, `)) ?? '']
    }),
  )
}

const each = (things: Table, of: (thing: Table, id: string) => unknown): Drawn =>
  Object.fromEntries(Object.entries(things).map(([id, thing]) => [id, of(table(thing), id)]))

const numberIn = (name: string, pattern: RegExp) => Number(pattern.exec(name)?.[1])
const tileIn = (name: string) => {
  const [, column, row] = /column (\d+), row (\d+)/.exec(name) ?? []
  return column && row ? [Number(column), Number(row)] : null
}

describe.each(playsOf('supply'))('supply: $name', (play) => {
  test('is drawn as the engine has it', () => {
    replay(
      Supply,
      play,
      () =>
        each(Object.fromEntries(pieces(play.battle)), (_, id) => {
          const name = pieces(play.battle).get(id) ?? ''
          if (name.includes(', destroyed')) return 'destroyed'
          return {
            strength: numberIn(name, /strength (\d+)/),
            supply: numberIn(name, /(\d+) supply/),
            fired: name.includes('has fired'),
            countered: name.includes('has counterattacked'),
            at: tileIn(name),
          }
        }),
      (state) =>
        each(table(state.units), ({ strength, supply, fired, countered, at }) =>
          strength ? { strength, supply, fired, countered, at } : 'destroyed',
        ),
    )
  })
})

describe.each(playsOf('tower'))('tower: $name', (play) => {
  test('is drawn as the engine has it', () => {
    replay(
      Tower,
      play,
      () =>
        each(Object.fromEntries(pieces(play.battle)), (_, id) => {
          const name = pieces(play.battle).get(id) ?? ''
          if (name.endsWith(', dead')) return 'dead'
          return {
            health: numberIn(name, /health (\d+) of/),
            at: tileIn(name),
            attacked: name.includes('has attacked'),
            defended: name.includes('has defended'),
          }
        }),
      (state) =>
        each(table(state.units), ({ health, at, attacked, defended }) =>
          health ? { health, at, attacked, defended } : 'dead',
        ),
    )
  })
})

describe.each(playsOf('assault'))('assault: $name', (play) => {
  const cards = cardsOf(systemOf('assault'), play.battle)
  const raw = new Map(list(play.battle.units).map((unit) => [text(table(unit).id), table(unit)]))

  test('is drawn as the engine has it', () => {
    replay(
      Assault,
      play,
      () =>
        each(Object.fromEntries(pieces(play.battle)), (_, id) => {
          const name = pieces(play.battle).get(id) ?? ''
          if (name.endsWith(', eliminated')) return 'eliminated'
          return {
            left: numberIn(name, /strength (\d+) of/),
            suppressed: name.includes(', suppressed'),
            fallback: name.includes(', falling back'),
            immobilized: name.includes(', immobilized'),
            at: tileIn(name),
          }
        }),
      (state) =>
        each(table(state.units), (unit, id) => {
          if (unit.status === 'eliminated') return 'eliminated'
          return {
            left: profileOf(raw.get(id) ?? {}, cards).strength - number(unit.damage),
            suppressed: unit.status === 'suppressed',
            fallback: unit.status === 'fallback',
            immobilized: unit.immobilized,
            at: unit.at ?? null,
          }
        }),
    )
  })
})

describe.each(playsOf('ranks'))('ranks: $name', (play) => {
  test('is drawn as the engine has it', () => {
    replay(
      Ranks,
      play,
      () =>
        Object.fromEntries(
          [...document.querySelectorAll('button.army')].map((army) => {
            const [player = ''] = [...army.querySelectorAll('strong')].map((name) => name.textContent ?? '')
            const words = army.textContent ?? ''
            const left = numberIn(words.replace(/\d+ → /, ''), /(\d+) units?/)
            return [
              player,
              {
                left,
                held_back: words.includes('held back'),
                away: words.includes('on its way'),
                returns: words.includes('returns'),
              },
            ]
          }),
        ),
      (state) =>
        each(table(state.players), ({ arrived, held_back }, player) => ({
          left: table(state.armies)[player],
          held_back,
          away: !arrived && !held_back,
          returns: !held_back && (arrived as boolean) && list(state.returns).includes(player),
        })),
    )
  })
})

describe.each(playsOf('frames'))('frames: $name', (play) => {
  const cardOf = (id: string) =>
    [...document.querySelectorAll('button.card')].find(
      (card) => card.querySelector('strong')?.textContent === id,
    )

  test('is drawn as the engine has it', () => {
    replay(
      Frames,
      play,
      () =>
        Object.fromEntries(
          [...list(play.battle.frames), ...list(play.battle.terrain)].map((entry) => {
            const id = text(table(entry).id)
            const words = cardOf(id)?.textContent ?? ''
            const lost = [...(cardOf(id)?.querySelectorAll('.name.lost') ?? [])].map(
              (chip) => chip.textContent,
            )
            const white = numberIn(words, /(\d+) of \d+ white dice/)
            if (Number.isNaN(white)) return [id, { hits: numberIn(words.replace(/\d+ → /, ''), /(\d+)/) }]
            return [id, { lost, white, abandoned: words.includes('abandons its position') }]
          }),
        ),
      (state) => ({
        ...each(table(state.frames), ({ carried, white }, id) => ({
          lost: list(carried).flatMap((system) => (table(system).lost ? [table(system).name] : [])),
          white,
          abandoned: list(state.abandoned).includes(id),
        })),
        ...each(table(state.terrain), ({ hits }) => ({ hits })),
      }),
    )
  })
})

describe.each(['supply', 'tower', 'assault', 'frames'])('any system: %s', (system) => {
  test('everything has the colour of its side', () => {
    const play = playsOf(system)[0] as Played
    const looks = new Looks(Object.keys(play.response.sides), play.response.sides)
    const { state } = play.response
    const { container } = given(Generic, systemOf(system), play.battle, { looks, moment: state })
    const drawn = [...container.querySelectorAll<HTMLElement>('.things li')].map((thing) => [
      thing.querySelector('strong')?.textContent,
      thing.style.getPropertyValue('--side'),
    ])
    const things = [
      ...Object.entries(table(state.units ?? state.frames)),
      ...Object.entries(table(state.terrain)),
    ]
    expect(drawn).toEqual(things.map(([id, thing]) => [id, looks.css(text(table(thing).side))]))
  })
})
