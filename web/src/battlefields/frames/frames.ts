// The frames and the terrain of a battle at one moment, and what people do with them.

import { isTurn } from '../../lib/turns'
import type { Battle, Json, State } from '../../lib/types'
import { commonName, freshName } from '../shared/kinds'
import { valueAt, pathOf, put } from '../shared/places'
import { clean, list, number, table, type Table, text, without } from '../shared/read'
import { type Kind, KINDS, type Loadout, readLoadout, writeLoadout } from './loadout'

export interface System {
  kind: Kind
  name: string
}

export interface Frame {
  place: string
  id: string
  player: string
  systems: System[]
  white: number
  rockets: number
  /** Whether the file writes it as a loadout. */
  isWord: boolean
  loadout: string
}

export interface Terrain {
  place: string
  id: string
  hits: number
}

/** A frame at the moment that is shown. */
export interface FrameNow {
  /** Of each of its systems, whether it is lost. */
  lost: boolean[]
  white: number
  rockets: number
  spot: number | null
  hasActed: boolean
  isAbandoning: boolean
}

export type Aim = 'attack' | 'activation'
/** What a file is about: one attack, a frame's turn, or all that a player's frames can do. */
type Scope = Aim | 'turn'
export type Role = 'by' | 'on' | 'cover'

const isKind = (value: unknown): value is Kind => KINDS.includes(value as Kind)

export function framesOf(battle: Battle): Frame[] {
  return list(battle.frames).map((entry, place) => {
    const raw = table(entry)
    const word = text(raw.loadout)
    const read = word ? readLoadout(word) : null
    const systems: System[] = read
      ? read.systems.map((kind) => ({ kind, name: kind }))
      : list(raw.systems).flatMap((system): System[] => {
          const fitted = table(system)
          if (isKind(system)) return [{ kind: system, name: system }]
          return isKind(fitted.kind) ? [{ kind: fitted.kind, name: text(fitted.name, fitted.kind) }] : []
        })
    const white = read?.white ?? number(raw.white, 2)
    const rockets = read?.rockets ?? number(raw.rockets)
    return {
      place: `frames[${place}]`,
      id: text(raw.id, `frame ${place + 1}`),
      player: text(raw.player),
      systems,
      white,
      rockets,
      isWord: word !== '',
      loadout: word || writeLoadout({ systems: systems.map(({ kind }) => kind), white, rockets }),
    }
  })
}

export function terrainOf(battle: Battle): Terrain[] {
  return list(battle.terrain).map((entry, place) => {
    const raw = table(entry)
    return { place: `terrain[${place}]`, id: text(raw.id, `terrain ${place + 1}`), hits: number(raw.hits) }
  })
}

/** Whether the file has one attack, or a frame's whole turn. */
export function aimOf(battle: Battle): Aim {
  return battle.attack === undefined && battle.activation !== undefined ? 'activation' : 'attack'
}

function scopeOf(battle: Battle): Scope {
  return isTurn(battle) ? 'turn' : aimOf(battle)
}

/** The attacks that a turn offers. */
export function shotsOf(battle: Battle): Table[] {
  return list(table(battle.turn).shots).map(table)
}

/** What the file says of one of the attacks of a turn. */
export function shotOf(battle: Battle, wanted: { by: string; on: string } | null | undefined): Table {
  return shotsOf(battle).find((shot) => shot.by === wanted?.by && shot.on === wanted?.on) ?? {}
}

/** The turn of a player; only what that player's frames can do is left in it. */
export function turnOf(battle: Battle, player: string): Battle {
  const own = framesOf(battle).filter((frame) => frame.player === player)
  const shots = shotsOf(battle).filter((shot) => own.some((frame) => frame.id === shot.by))
  return { ...battle, turn: { ...without(table(battle.turn), 'target'), player, shots } }
}

/** The turn with one more attack, of two that have none on each other yet; null if there are none. */
export function withShot(battle: Battle, isMeasured: boolean): Battle | null {
  const turn = table(battle.turn)
  const shots = shotsOf(battle)
  const frames = framesOf(battle)
  const enemies = frames.filter((frame) => frame.player !== turn.player)
  for (const { id: by } of frames.filter((frame) => frame.player === turn.player)) {
    const target = enemies.find((enemy) => !shots.some((shot) => shot.by === by && shot.on === enemy.id))
    if (!target) continue
    const shot = {
      by,
      on: target.id,
      ...(isMeasured ? {} : { range: 'direct' }),
      ...defenseOf(battle, target),
    }
    return { ...battle, turn: { ...turn, shots: [...shots, shot] } }
  }
  return null
}

/** A frame rolls its defense when it is attacked, unless the file says what its die shows. */
function defenseOf(battle: Battle, { place }: Frame): Table {
  return table(valueAt(battle, pathOf(place))).defense === undefined ? { defense: 'not yet' } : {}
}

export function coversOf(aim: Table): string[] {
  return typeof aim.cover === 'string' ? [aim.cover] : list(aim.cover).map((cover) => text(cover))
}

/** The battle with a frame that carries something else, in the way in which the file wrote it. */
export function refitFrame(
  battle: Battle,
  frame: Frame,
  next: Partial<Pick<Frame, 'systems' | 'white' | 'rockets'>>,
): Battle {
  const path = pathOf(frame.place)
  const raw = table(valueAt(battle, path))
  const { systems, white, rockets } = { ...frame, ...next }
  if (frame.isWord) {
    const word = writeLoadout({ systems: systems.map(({ kind }) => kind), white, rockets })
    return put(battle, path, { ...without(raw, 'systems', 'white', 'rockets'), loadout: word })
  }
  const written: Json = systems.map(({ kind, name }) => (kind === name ? kind : { kind, name }))
  const kept = { ...raw, systems: written, white }
  return put(battle, path, rockets ? { ...kept, rockets } : without(kept, 'rockets'))
}

/** The battle with a frame as its loadout says. */
export function setLoadout(battle: Battle, frame: Frame, word: string): Battle {
  const path = pathOf(frame.place)
  return put(battle, path, {
    ...without(table(valueAt(battle, path)), 'systems', 'white', 'rockets'),
    loadout: word,
  })
}

/** The battle in which one frame attacks another, or terrain; a turn offers that attack, too. */
export function withAim(battle: Battle, by: string, on: string): Battle {
  if (isTurn(battle)) {
    const shots = shotsOf(battle)
    const isListed = shots.some((shot) => shot.by === by && shot.on === on)
    const target = framesOf(battle).find((frame) => frame.id === on)
    const shot = { by, on, ...(target ? defenseOf(battle, target) : {}) }
    return isListed ? battle : { ...battle, turn: { ...table(battle.turn), shots: [...shots, shot] } }
  }
  const aim = table(battle[aimOf(battle)])
  const cleared = put(battle, [aimOf(battle)], clean(without(aim, 'by', 'on')))
  return cast(cast(cleared, by, 'by'), on, 'on')
}

/** The battle in which this frame or terrain has a role, or has it no more. */
export function cast(battle: Battle, id: string, role: Role): Battle {
  const key = aimOf(battle)
  const aim = table(battle[key])
  if (role === 'cover') return put(battle, [key, 'cover'], toggled(battle, aim, id))
  const covers = coversOf(aim).filter((cover) => cover !== id)
  const others =
    role === 'by' ? (aim.on === id ? { on: undefined } : {}) : aim.by === id ? { by: undefined } : {}
  const next = {
    ...aim,
    ...others,
    [role]: role === 'by' && aim.by === id ? undefined : id,
    cover: asWritten(covers),
  }
  const isTerrain = terrainOf(battle).some((terrain) => terrain.id === next.on)
  const isSet = list(battle.frames).some(
    (frame) => table(frame).id === next.on && table(frame).defense !== undefined,
  )
  const written = isTerrain
    ? without(next, 'defense', 'spot', 'cover')
    : { ...(isSet ? {} : { defense: 0 }), ...next }
  return put(battle, [key], clean(written))
}

/** The first terrain and the first frame of several, as a file lists what covers the target. */
export function sortCovers(battle: Battle, covers: readonly string[]): string[] {
  const isFrame = (id: string) => framesOf(battle).some((frame) => frame.id === id)
  return [covers.find((id) => !isFrame(id)), covers.find(isFrame)].flatMap((id) => id ?? [])
}

function toggled(battle: Battle, aim: Table, id: string): Json | undefined {
  const covers = coversOf(aim)
  if (covers.includes(id)) return asWritten(covers.filter((cover) => cover !== id))
  const isFrame = (name: string) => framesOf(battle).some((frame) => frame.id === name)
  return asWritten([...covers.filter((cover) => isFrame(cover) !== isFrame(id)), id])
}

export function asWritten(covers: string[]): Json | undefined {
  return covers.length > 1 ? covers : covers[0]
}

/** The same aim as one attack, as a frame's turn, or as the first attack of a player's turn. */
export function convertAttack(battle: Battle, to: Scope): Battle {
  const from = scopeOf(battle)
  const aim = from === 'turn' ? without(shotsOf(battle)[0] ?? {}, 'id') : table(battle[from])
  const rest = without(battle, from) as Battle
  if (to === 'turn') {
    const frames = framesOf(battle)
    const player = (frames.find((frame) => frame.id === aim.by) ?? frames[0])?.player ?? ''
    return { ...rest, turn: { player, shots: aim.by ? [without(aim, 'attack')] : [] } }
  }
  const target = framesOf(battle).find((frame) => frame.id === aim.on)
  const isSet = target && table(valueAt(battle, pathOf(target.place))).defense !== undefined
  const defense = target && to === 'attack' && typeof aim.defense !== 'number' && !isSet ? { defense: 3 } : {}
  const shown = aim.defense === 'not yet' && to === 'attack' ? without(aim, 'defense') : aim
  return { ...rest, [to]: to === 'attack' ? { ...shown, ...defense, attack: 4 } : without(aim, 'attack') }
}

export function withFrame(battle: Battle, kind: string, frame: Table, player: string): Battle {
  const id = freshName(
    commonName(kind),
    framesOf(battle).map((other) => other.id),
  )
  return { ...battle, frames: [...list(battle.frames), { id, player, ...frame }] }
}

export function withTerrain(battle: Battle): Battle {
  const id = freshName(
    'wall',
    terrainOf(battle).map((other) => other.id),
  )
  return { ...battle, terrain: [...list(battle.terrain), { id, hits: 1 }] }
}

/** The battle without a frame or terrain, and without its part in the attack. */
export function removePiece(battle: Battle, place: string, id: string): Battle {
  return renamePiece(put(battle, pathOf(place), undefined), id, undefined)
}

/** The battle with another name for a frame or terrain wherever the attack names it. */
export function renamePiece(battle: Battle, from: string, to: string | undefined): Battle {
  const name = (value: Json | undefined) => (value === from ? to : value)
  const changed = (aim: Table): Table => {
    const covers = coversOf(aim).flatMap((cover) => name(cover) ?? []) as string[]
    return clean({ ...aim, by: name(aim.by), on: name(aim.on), cover: asWritten(covers) })
  }
  if (isTurn(battle)) {
    const shots = shotsOf(battle).map(changed)
    const turn = table(battle.turn)
    const left = shots.filter((shot) => shot.by !== undefined && shot.on !== undefined)
    return { ...battle, turn: clean({ ...turn, target: name(turn.target), shots: left }) }
  }
  const key = aimOf(battle)
  return battle[key] === undefined ? battle : put(battle, [key], changed(table(battle[key])))
}

/** How a frame is at a moment of the play; while it is set up, it has lost nothing. */
export function frameNow(frame: Frame, state: State | null): FrameNow {
  const now = table(table(state?.frames)[frame.id])
  const carried = list(now.carried).map((system) => table(system).lost === true)
  return {
    lost: frame.systems.map((_, place) => carried[place] ?? false),
    white: number(now.white, frame.white),
    rockets: number(now.rockets, frame.rockets),
    spot: typeof now.spot === 'number' ? now.spot : null,
    hasActed: now.acted === true,
    isAbandoning: list(state?.abandoned).includes(frame.id),
  }
}

/** The damage that a terrain still takes before it is no cover any more. */
export function hitsLeft(terrain: Terrain, state: State | null): number {
  return number(table(table(state?.terrain)[terrain.id]).hits, terrain.hits)
}

export const formatHits = (hits: number) => `stands ${hits} ${hits === 1 ? 'hit' : 'hits'}`

export function fitOf(frame: Frame): Loadout {
  return { systems: frame.systems.map(({ kind }) => kind), white: frame.white, rockets: frame.rockets }
}
