import { describe, expect, test } from 'vitest'

import links from '../testing/links.json'
import { routeOf } from './route.svelte'
import { BadLink, fromBase64url, fromFragment, toBase64url, toFragment } from './share'
import type { Battle, Json } from './types'

/** The same numbers on every run. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32
    return state / 2 ** 32
  }
}

const TEXTS = ['', 'rifles', 'Grüße', '東京', '🎲 dice', '"\\\n\t', '\u0000', '</script>', 'a=b&c#d.e']

function anything(next: () => number, depth: number): Json {
  const pick = Math.floor(next() * (depth > 0 ? 7 : 5))
  if (pick === 0) return null
  if (pick === 1) return next() < 0.5
  if (pick === 2) return Math.floor(next() * 2 ** 40) - 2 ** 39
  if (pick === 3) return TEXTS[Math.floor(next() * TEXTS.length)] ?? ''
  if (pick === 4) return next()
  const inside = Array.from({ length: Math.floor(next() * 5) }, () => anything(next, depth - 1))
  if (pick === 5) return inside
  return Object.fromEntries(inside.map((value, place) => [`${TEXTS[place]}${place}`, value]))
}

describe('a link carries a set-up in itself', () => {
  test.each(Array.from({ length: 60 }, (_, seed) => seed))('whatever it says (%i)', async (seed) => {
    const next = random(seed)
    const battle = { system: 'supply', units: anything(next, 4), rules: anything(next, 2) } as Battle
    const shared = { title: TEXTS[seed % TEXTS.length] ?? '', battle }
    const fragment = await toFragment(shared)
    expect(fragment).toMatch(/^b=1\.[A-Za-z0-9_-]+$/)
    expect(await fromFragment(`#${fragment}`)).toEqual(shared)
  })

  test('a large battle makes a link of reasonable length', async () => {
    const units = Array.from({ length: 40 }, (_, n) => ({
      id: `unit ${n}`,
      side: n % 2 ? 'red' : 'blue',
      at: [n, n],
    }))
    expect((await toFragment({ title: 'Large', battle: { system: 'tower', units } })).length).toBeLessThan(
      1000,
    )
  })
})

describe('links that are none', () => {
  test('other fragments carry no set-up', async () => {
    expect(await fromFragment('')).toBeNull()
    expect(await fromFragment('#t=abc')).toBeNull()
  })

  test('a link of a newer version is not reported as damaged', async () => {
    await expect(fromFragment('#b=2.abc')).rejects.toThrow(/newer/)
  })

  test('a damaged link says so', async () => {
    const fragment = await toFragment({
      title: 'x',
      battle: { system: 'ranks', defender: { player: 'Blue', units: 4 } },
    })
    await expect(fromFragment(fragment.slice(0, -9))).rejects.toThrow(/damaged/)
    await expect(fromFragment('b=1.%%%')).rejects.toThrow(BadLink)
    await expect(fromFragment('b=1.')).rejects.toThrow(BadLink)
  })

  test('what unpacks to something else is no battle', async () => {
    const fragment = await toFragment({ title: 'x', battle: { no: 'system' } as unknown as Battle })
    await expect(fromFragment(fragment)).rejects.toThrow(/no battle/)
  })

  test('a link that swells beyond all measure is refused', async () => {
    const fragment = await toFragment({ title: 'x'.repeat(3_000_000), battle: { system: 'ranks' } })
    expect(fragment.length).toBeLessThan(10_000)
    await expect(fromFragment(fragment)).rejects.toThrow(BadLink)
  })
})

test('base64url of all bytes and lengths', () => {
  for (let length = 0; length < 70; length++) {
    const bytes = Uint8Array.from({ length }, (_, place) => (place * 37 + length * 11) % 256)
    expect(fromBase64url(toBase64url(bytes))).toEqual(bytes)
  }
})

test.each(links)('a link of 2026 still opens: $title', async ({ link, title, battle }) => {
  const { pathname, hash } = new URL(link, 'https://example.org')
  const { view, fragment } = routeOf({ pathname, hash })
  expect(view).toBe('battle')
  expect(await fromFragment(fragment)).toEqual({ title, battle })
})
