// A set-up encoded in a link: version, dot, deflated JSON in base64url. The server stores nothing.

import type { Battle } from './types'

/** A set-up with its title. */
interface Shared {
  title: string
  battle: Battle
}

export class BadLink extends Error {}

const VERSION = '1'
const LARGEST = 1024 * 1024

/** The fragment of a link to a set-up. */
export async function toFragment(shared: Shared): Promise<string> {
  const packed = await through(
    new CompressionStream('deflate-raw'),
    new TextEncoder().encode(JSON.stringify(shared)),
  )
  return `b=${VERSION}.${toBase64url(packed)}`
}

/** The set-up encoded in a fragment; null if there is none. */
export async function fromFragment(fragment: string): Promise<Shared | null> {
  const carried = /(?:^|[#&])b=([^.&]*)\.?([^&]*)/.exec(fragment)
  if (!carried) return null
  const [, version, data = ''] = carried
  if (version !== VERSION) throw new BadLink('This link is of a newer kind than this page can read.')
  let shared: unknown
  try {
    const unpacked = await through(new DecompressionStream('deflate-raw'), fromBase64url(data))
    shared = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(unpacked))
  } catch {
    throw new BadLink('This link is damaged: perhaps only a part of it was copied.')
  }
  if (!isShared(shared)) throw new BadLink('This link carries no battle.')
  return { title: shared.title, battle: shared.battle }
}

function isShared(value: unknown): value is Shared {
  if (typeof value !== 'object' || value === null) return false
  const { title, battle } = value as Record<string, unknown>
  return typeof title === 'string' && isBattle(battle)
}

/** Whether a value has the shape of a battle; the engine decides whether it is legal. */
export function isBattle(value: unknown): value is Battle {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Record<string, unknown>).system === 'string'
  )
}

async function through(
  stream: { readable: ReadableStream<Uint8Array>; writable: WritableStream<BufferSource> },
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> {
  const writer = stream.writable.getWriter()
  const written = writer.write(bytes).then(() => writer.close())
  written.catch(() => undefined) // the reader fails too
  const parts: Uint8Array[] = []
  let size = 0
  const reader = stream.readable.getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value)
    size += part.value.length
    if (size > LARGEST) throw new BadLink('This link is too large.')
  }
  const all = new Uint8Array(size)
  let place = 0
  for (const part of parts) {
    all.set(part, place)
    place += part.length
  }
  return all
}

export function toBase64url(bytes: Uint8Array): string {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

export function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0))
}
