// Local storage. The page also works where it is not available.

import { SvelteSet } from 'svelte/reactivity'

const PREFIX = 'grognard.'

/** Whether all writes succeeded: they fail in some private windows, and when the storage is full. */
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
