// Lenient readers: a battle is drawn while it is incomplete, so missing or malformed values get plain defaults.

import type { Json } from '../../lib/types'
import type { Tile } from './grid'

export type Table = { [key: string]: Json | undefined }

export function table(value: Json | undefined): Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}

export function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : []
}

export function number(value: Json | undefined, otherwise = 0): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise
}

export function text(value: Json | undefined, otherwise = ''): string {
  return typeof value === 'string' ? value : otherwise
}

export function tile(value: Json | undefined): Tile | null {
  const [column, row] = list(value)
  return Number.isInteger(column) && Number.isInteger(row) ? [column as number, row as number] : null
}

export function isSame(a: Tile | null | undefined, b: Tile | null | undefined): boolean {
  return !!a && !!b && a[0] === b[0] && a[1] === b[1]
}

/** A table without some of its keys. */
export function without(value: Table, ...keys: string[]): Table {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)))
}

/** A table without what is undefined. */
export function clean(value: Table): Table {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined))
}
