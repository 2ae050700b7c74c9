// Systems as the server lists them, with as much of their fields as the battlefields ask for.

import type { Field, Json, Kind, SystemInfo } from '../../lib/types'

export function field(name: string, kind: Kind, more: Partial<Field> = {}): Field {
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

export const number = (at_least = 0): Kind => ({ kind: 'number', at_least })
export const text: Kind = { kind: 'text' }
export const flag: Kind = { kind: 'flag' }
export const oneOf = (...choices: (string | number | boolean)[]): Kind => ({ kind: 'one of', choices })
export const tile: Kind = { kind: 'fixed', of: [number(1), number(1)] }
export const table = (...fields: Field[]): Kind => ({ kind: 'table', fields })
export const listOf = (kind: Kind): Kind => ({ kind: 'list', of: [kind] })
export const named = (kind: Kind): Kind => ({ kind: 'named', of: [kind] })
export const maybe = (kind: Kind): Kind => ({ ...kind, nullable: true })

export const optional = (name: string, kind: Kind, otherwise: Json = null): Field =>
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
    example: { system: name },
    examples: [],
    ...more,
  }
}
