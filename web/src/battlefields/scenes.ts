// A small drawing of each game, for the start and beside battles that have no map.

import type { Component } from 'svelte'

const SCENES = import.meta.glob<Component>('./*/Scene.svelte', { eager: true, import: 'default' })

export function sceneFor(system: string): Component {
  const scene = SCENES[`./${system}/Scene.svelte`] ?? SCENES['./generic/Scene.svelte']
  if (!scene) throw new Error('there is no generic scene')
  return scene
}
