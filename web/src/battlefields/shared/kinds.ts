// Values by the kinds that a system's fields name: a new one to start from, which alternative one is, names in words.

import type { Field, Json, ValueKind } from '../../lib/types'

/** `full_health` as people write it. */
export function words(name: string): string {
  return name.replaceAll('_', ' ')
}

/** A choice as people read it. */
export function formatChoice(choice: string | number | boolean): string {
  return typeof choice === 'boolean' ? (choice ? 'yes' : 'no') : words(String(choice))
}

/** The simplest value of a kind. */
export function blank(kind: ValueKind): Json {
  switch (kind.kind) {
    case 'number':
      return Math.max(kind.at_least ?? 0, 0)
    case 'text':
      return 'new'
    case 'flag':
      return false
    case 'one of':
      return kind.choices?.[0] ?? ''
    case 'table':
      return blankTable(kind.fields ?? [])
    case 'list':
      return []
    case 'named':
      return {}
    case 'fixed':
      return (kind.of ?? []).map((part) => Math.max(Number(blank(part)), 1))
    case 'either':
      return kind.of?.[0] ? blank(kind.of[0]) : null
  }
}

function blankTable(fields: readonly Field[]): Json {
  return Object.fromEntries(
    fields.filter((field) => field.required).map((field) => [field.name, blank(field.kind)]),
  )
}

/** Whether a value looks like one of this kind. */
export function matches(kind: ValueKind, value: Json | undefined): boolean {
  switch (kind.kind) {
    case 'number':
      return typeof value === 'number'
    case 'text':
      return typeof value === 'string'
    case 'flag':
      return typeof value === 'boolean'
    case 'one of':
      return (kind.choices ?? []).includes(value as string)
    case 'list':
    case 'fixed':
      return Array.isArray(value)
    case 'table':
    case 'named':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'either':
      return (kind.of ?? []).some((part) => matches(part, value))
  }
}

/** All values of a kind that has only a few of them; null if it has more. */
export function fewValues(kind: ValueKind): (string | number | boolean)[] | null {
  if (kind.kind === 'one of') return kind.choices ?? []
  if (kind.kind === 'flag') return [true, false]
  if (kind.kind !== 'either') return null
  const parts = (kind.of ?? []).map(fewValues)
  return parts.some((part) => part === null) ? null : parts.flatMap((part) => part ?? [])
}

/** The fields of the table that stands at a key of the battle, or in the list that does. */
export function fieldsOf(fields: readonly Field[], key: string): Field[] {
  const kind = fields.find((field) => field.name === key)?.kind
  return kind?.fields ?? kind?.of?.[0]?.fields ?? []
}

/** Fields by their names, in the order of these. */
export function named(fields: readonly Field[], names: readonly string[]): Field[] {
  return names.flatMap((name) => fields.find((field) => field.name === name) ?? [])
}

/** A kind or a card as a name: small letters, but for what is written in capitals, such as `US rifles 43`. */
export function commonName(kind: string): string {
  return kind.replace(/\p{L}+/gu, (word) =>
    word.length > 1 && word === word.toUpperCase() ? word : word.toLowerCase(),
  )
}

/** A name that is not taken yet: `rifles`, `rifles 2`, `rifles 3`. */
export function freshName(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted
  for (let number = 2; ; number++) {
    if (!taken.includes(`${wanted} ${number}`)) return `${wanted} ${number}`
  }
}
