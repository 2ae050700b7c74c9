import { render, waitFor } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'

import Count from './Count.svelte'

afterEach(() => vi.unstubAllGlobals())

/** All that is shown on the way from one figure to another. */
async function shown(moves: boolean): Promise<string[]> {
  vi.stubGlobal('matchMedia', () => ({ matches: moves }))
  const { container, rerender } = render(Count, { figure: '10.0 %' })
  const seen: string[] = []
  new MutationObserver(() => seen.push(container.textContent.trim())).observe(container, {
    subtree: true,
    characterData: true,
  })
  await rerender({ figure: '50.0 %' })
  await waitFor(() => expect(container.textContent.trim()).toBe('50.0 %'))
  return seen
}

test('a figure counts up to its new value', async () => {
  const seen = await shown(true)
  expect(seen.length).toBeGreaterThan(2)
  expect(seen.every((figure) => /^[1-5]\d\.\d %$/.test(figure))).toBe(true)
})

test('a figure is new at once for those who want nothing to move', async () => {
  expect(await shown(false)).toEqual(['50.0 %'])
})
