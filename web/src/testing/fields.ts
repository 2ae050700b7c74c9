// Systems as the server lists them, with as much of their fields as the battlefields ask for.

import type { Field, Json, SystemInfo, ValueKind } from '../lib/types'

export function field(name: string, kind: ValueKind, more: Partial<Field> = {}): Field {
  return {
    name,
    says: `about ${name}`,
    paragraph: '',
    expects: '',
    required: true,
    default: null,
    kind,
    ...more,
  }
}

export const number = (at_least = 0): ValueKind => ({ kind: 'number', at_least })
export const text: ValueKind = { kind: 'text' }
export const flag: ValueKind = { kind: 'flag' }
export const oneOf = (...choices: (string | number | boolean)[]): ValueKind => ({ kind: 'one of', choices })
export const tile: ValueKind = { kind: 'fixed', of: [number(1), number(1)] }
export const table = (...fields: Field[]): ValueKind => ({ kind: 'table', fields })
export const listOf = (kind: ValueKind): ValueKind => ({ kind: 'list', of: [kind] })
export const named = (kind: ValueKind): ValueKind => ({ kind: 'named', of: [kind] })
export const maybe = (kind: ValueKind): ValueKind => ({ ...kind, nullable: true })

export const optional = (name: string, kind: ValueKind, otherwise: Json = null): Field =>
  field(name, kind, { required: false, default: otherwise })

export function system(name: string, fields: Field[], more: Partial<SystemInfo> = {}): SystemInfo {
  return {
    name,
    title: name,
    summary: '',
    rules: [],
    paragraphs: {},
    switches: [],
    objectives: {},
    sources: [],
    fields,
    roster: {},
    figures: {},
    example: { system: name },
    examples: [],
    ...more,
  }
}
