// Results and battles as people read them: everything they say by the keys that lead to it, and what differs.

import type { Battle, Json } from './types'

type Tree = { [key: string]: Json | undefined }

/** Everything that a result says, by the keys that lead to it, such as `units guns strength`. */
export function leaves(tree: Tree, above: string[] = []): Map<string, string> {
  const all = new Map<string, string>()
  for (const [key, value] of Object.entries(tree)) {
    const path = [...above, key]
    if (isTree(value)) for (const [inner, leaf] of leaves(value, path)) all.set(inner, leaf)
    else all.set(path.join('\t'), formatValue(value))
  }
  return all
}

function isTree(value: Json | undefined): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
}

/** A value in words; `–` for nothing. */
export function formatValue(value: Json | undefined): string {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(formatValue).join(', ') || '–'
  if (typeof value === 'object') return [...leaves(value).values()].join(', ') || '–'
  return String(value)
}

/** The places at which results differ, in their order. */
export function varyingPlaces(results: Map<string, string>[]): string[] {
  const places = new Set(results.flatMap((result) => [...result.keys()]))
  return [...places].filter((place) => results.some((result) => result.get(place) !== results[0]?.get(place)))
}

/** A heading for each place, without the name of the table it is in where that is clear. */
export function headings(places: string[]): string[] {
  const short = places.map((place) => {
    const path = place.split('\t')
    return (path.length > 1 ? path.slice(1) : path).join(' ')
  })
  return short.map((head, number) =>
    short.indexOf(head) === short.lastIndexOf(head) ? head : (places[number] ?? '').replaceAll('\t', ' '),
  )
}

/** `guns strength 4 · rifles strength 2`. */
export function formatResult(result: Map<string, string>, places: string[]): string {
  const heads = headings(places)
  return places.map((place, number) => `${heads[number]} ${result.get(place) ?? '–'}`).join(' · ')
}

/** What differs between two battles: the place, how it was, how it is. Entries with ids go by them. */
export function differences(was: Json | undefined, is: Json | undefined): [string, string, string][] {
  const before = flat(was)
  const after = flat(is)
  const places = [...new Set([...before.keys(), ...after.keys()])]
  return places
    .filter((place) => before.get(place) !== after.get(place))
    .map((place) => [place, before.get(place) ?? '–', after.get(place) ?? '–'])
}

function flat(value: Json | undefined, above = ''): Map<string, string> {
  const all = new Map<string, string>()
  const inside = entries(value)
  if (inside === null) return value === undefined ? all : all.set(above, formatValue(value))
  for (const [key, part] of inside) {
    const here = above ? `${above} ${key}` : key
    for (const [place, leaf] of flat(part, isNamedList(part) ? above : here)) all.set(place, leaf)
  }
  return all
}

function entries(value: Json | undefined): [string, Json | undefined][] | null {
  if (typeof value !== 'object' || value === null) return null
  if (!Array.isArray(value)) return Object.entries(value)
  if (
    !value.length ||
    value.some((part) => typeof part !== 'object' || part === null || Array.isArray(part))
  ) {
    return null
  }
  return value.map((part, number) => [nameOf(part as Tree) ?? String(number + 1), part])
}

/** What stands in such a list is clear from its name: `guards strength`. */
function isNamedList(value: Json | undefined): boolean {
  return (
    Array.isArray(value) && value.length > 0 && value.every((part) => isTree(part) && nameOf(part) !== null)
  )
}

/** Whose a unit or a frame is, by its name. */
export function sideOfNamed(battle: Battle, name: string): string | null {
  const entries = Object.values(battle).flatMap((part) => (Array.isArray(part) ? part : [])) as Tree[]
  const { side, player } = entries.find((entry) => isTree(entry) && entry.id === name) ?? {}
  return typeof side === 'string' ? side : typeof player === 'string' ? player : null
}

/** A place of a fault as people read it: `guards strength` for `units[3].strength`. */
export function formatPlace(battle: Battle, path: readonly (string | number)[]): string {
  let inside: Json | undefined = battle
  let words: string[] = []
  for (const step of path) {
    inside = (inside as Tree | undefined)?.[step]
    const name = isTree(inside) ? nameOf(inside as Tree) : null
    if (typeof step === 'string') words.push(step.replaceAll('_', ' '))
    else words = name ? [name] : [...words, String(step + 1)]
  }
  return words.join(' ')
}

function nameOf(part: Tree): string | null {
  const name = part.id ?? part.player
  return typeof name === 'string' ? name : null
}
