// What this device keeps between visits. Where nothing can be kept, nothing is, and the page works all the same.

import { SvelteSet } from 'svelte/reactivity'

const PREFIX = 'grognard.'

/** Whether everything is kept that was to be: not in some private windows, nor where the storage is full. */
export const device = {
  get keeps() {
    return lost.size === 0
  },
}
const lost = new SvelteSet<string>()

export function recall<T>(name: string, otherwise: T): T {
  try {
    const kept = localStorage.getItem(PREFIX + name)
    return kept === null ? otherwise : (JSON.parse(kept) as T)
  } catch {
    return otherwise
  }
}

export function remember(name: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name)
    else localStorage.setItem(PREFIX + name, JSON.stringify(value))
    lost.delete(name)
  } catch {
    lost.add(name)
  }
}
