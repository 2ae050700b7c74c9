// Places in a battle, written as faults write them: `units[1].at`, `board.capitals."my side"`.

import type { Battle, Fault, Json } from '../../lib/types'
import { table, without } from './read'

export type Path = readonly (string | number)[]

const BARE = /^[A-Za-z0-9_-]+$/
const STEP = /\[(\d+)\]|\.?"((?:[^"\\]|\\.)*)"|\.?([^.[\]"]+)/g

export function placeOf(path: Path): string {
  return path.reduce<string>((place, step) => {
    if (typeof step === 'number') return `${place}[${step}]`
    const key = BARE.test(step) ? step : `"${step}"`
    return place ? `${place}.${key}` : key
  }, '')
}

export function pathOf(place: string): Path {
  return [...place.matchAll(STEP)].map(([, index, quoted, bare]) =>
    index === undefined ? (quoted ?? bare ?? '') : Number(index),
  )
}

/** What stands at a place; undefined if nothing does. */
export function valueAt(value: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((inside, step) => {
    if (typeof inside !== 'object' || inside === null) return undefined
    return Array.isArray(inside) ? inside[Number(step)] : inside[step]
  }, value)
}

/** The battle with another value at a place; undefined takes away what is there. */
export function put(battle: Battle, path: Path, value: Json | undefined): Battle {
  return placed(battle, path, value) as Battle
}

function placed(value: Json | undefined, path: Path, next: Json | undefined): Json | undefined {
  const [step, ...rest] = path
  if (step === undefined) return next
  if (typeof step === 'number') {
    const list = Array.isArray(value) ? [...value] : []
    const entry = placed(list[step], rest, next)
    if (entry === undefined) list.splice(step, 1)
    else list[step] = entry
    return list
  }
  const inside = table(value)
  const entry = placed(inside[step], rest, next)
  return entry === undefined ? without(inside, step) : { ...inside, [step]: entry }
}

/** What is wrong exactly here. */
export function faultsAt(faults: readonly Fault[], path: Path): Fault[] {
  const place = placeOf(path)
  return faults.filter((fault) => fault.place === place)
}

/** What is wrong here, or anywhere inside. */
export function faultsIn(faults: readonly Fault[], path: Path): Fault[] {
  const place = placeOf(path)
  return faults.filter(
    (fault) =>
      fault.place === place || [`${place}.`, `${place}[`].some((begin) => fault.place.startsWith(begin)),
  )
}
