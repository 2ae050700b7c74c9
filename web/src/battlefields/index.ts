// The battlefields, each loaded when it is wanted. A system without a folder of its own gets the generic one.

import type { Component } from 'svelte'

import type { BattlefieldProps } from './types'

export type { BattlefieldProps } from './types'

type Module = { default: Component<BattlefieldProps> }

const FOLDERS = import.meta.glob<Module>('./*/Battlefield.svelte')

export async function loadBattlefield(system: string): Promise<Component<BattlefieldProps>> {
  const load = FOLDERS[`./${system}/Battlefield.svelte`] ?? FOLDERS['./generic/Battlefield.svelte']
  if (!load) throw new Error('there is no generic battlefield')
  return (await load()).default
}
