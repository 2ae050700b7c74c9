// A battlefield on the screen, and all that it asked for.

import { render } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { vi } from 'vitest'

import type { BattlefieldProps } from '../battlefields'
import { Looks } from '../lib/sides'
import type { Battle, SystemInfo } from '../lib/types'

/** What a battlefield is given, which changes as it asks. */
export function given(
  Battlefield: Component<BattlefieldProps>,
  system: SystemInfo,
  battle: Battle,
  more: Partial<BattlefieldProps> = {},
) {
  const change = vi.fn((next: Battle) => void shown.rerender({ battle: next }))
  const pick = vi.fn((picked: string | null) => void shown.rerender({ picked }))
  const props: BattlefieldProps = {
    battle,
    system,
    looks: new Looks(),
    faults: [],
    change,
    picked: null,
    pick,
    readonly: false,
    moment: null,
    shot: null,
    ...more,
  }
  const shown = render(Battlefield, { props })
  return { ...shown, change, pick, battle: () => change.mock.lastCall?.[0] ?? battle }
}
