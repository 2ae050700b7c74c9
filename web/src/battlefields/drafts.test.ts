import { screen } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { describe, expect, test } from 'vitest'

import type { Battle, Json, SystemInfo } from '../lib/types'
import { battlesOf, systemOf } from '../testing/examples'
import { given } from '../testing/given'
import Assault from './assault/Battlefield.svelte'
import Frames from './frames/Battlefield.svelte'
import Ranks from './ranks/Battlefield.svelte'
import Supply from './supply/Battlefield.svelte'
import Tower from './tower/Battlefield.svelte'
import type { BattlefieldProps } from './types'

const BATTLEFIELDS: Record<string, Component<BattlefieldProps>> = {
  supply: Supply,
  tower: Tower,
  ranks: Ranks,
  frames: Frames,
  assault: Assault,
}
const SYSTEMS = Object.entries(BATTLEFIELDS).map(
  ([name, Battlefield]): [string, Component<BattlefieldProps>, SystemInfo, Battle[]] => [
    name,
    Battlefield,
    systemOf(name),
    Object.values(battlesOf(name)),
  ],
)

/** Everything in lists once more, so that all names and all places are taken twice. */
function doubled(value: Json | undefined): Json | undefined {
  if (Array.isArray(value))
    return value.some((entry) => typeof entry === 'object') ? [...value, ...value].map(doubledInside) : value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, doubled(inside)]))
}

const doubledInside = (value: Json): Json => doubled(value) ?? null

/** Every key of every table with something else under it. */
function spoilt(battle: Battle, by: Json): Battle[] {
  return Object.keys(battle).flatMap((key) => {
    if (key === 'system') return []
    const value = battle[key]
    const inside = Array.isArray(value) ? value[0] : value
    if (typeof inside !== 'object' || inside === null || Array.isArray(inside))
      return [{ ...battle, [key]: by }]
    const tables = Object.keys(inside).map((name) => ({ ...inside, [name]: by }))
    return [
      { ...battle, [key]: by },
      ...tables.map((table) => ({
        ...battle,
        [key]: Array.isArray(value) ? [table, ...value.slice(1)] : table,
      })),
    ]
  })
}

describe.each(SYSTEMS)('a battle of %s that is still being written', (name, Battlefield, system, battles) => {
  const first = battles[0] as Battle

  test('is drawn when it says nothing yet', () => {
    const { container } = given(Battlefield, system, { system: name })
    expect(container.textContent).not.toBe('')
  })

  test('is drawn when it says everything twice', () => {
    for (const battle of battles) {
      const { unmount } = given(Battlefield, system, doubled(battle) as Battle)
      expect(screen.getAllByRole('button').length).toBeGreaterThan(0)
      unmount()
    }
  })

  test.each<[Json]>([[null], ['nonsense'], [-3], [[]], [{}]])(
    'is drawn with %j where something else should stand',
    (by) => {
      for (const battle of spoilt(first, by)) {
        const { container, unmount } = given(Battlefield, system, battle)
        expect(container.textContent).not.toBe('')
        unmount()
      }
    },
  )
})
