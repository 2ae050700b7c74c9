// Machine dice and fair dice, the same as the server's: whoever knows the seed can roll them again.

import { sha256 as ownSha256 } from './sha256'
import type { Face } from './types'

const DRAWS = 2n ** 64n
const BLOCK = 64

export async function sha256(message: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  if (!crypto.subtle) return ownSha256(message)
  return new Uint8Array(await crypto.subtle.digest('SHA-256', message))
}

export async function hmac(
  key: Uint8Array<ArrayBuffer>,
  message: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  if (!crypto.subtle || !key.length) return ownHmac(key, message) // browsers take no empty key
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, message))
}

/** RFC 2104. */
export function ownHmac(key: Uint8Array, message: Uint8Array): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(BLOCK)
  block.set(key.length > BLOCK ? ownSha256(key) : key)
  const inner = ownSha256(joined([block.map((byte) => byte ^ 0x36), message]))
  return ownSha256(joined([block.map((byte) => byte ^ 0x5c), inner]))
}

/** Dice that follow from a seed; `draws` counts the numbers drawn so far. */
export class MachineDice {
  readonly #key: Uint8Array<ArrayBuffer>

  constructor(
    seed: string,
    public draws = 0,
  ) {
    this.#key = utf8(seed)
  }

  async roll(faces: Face[]): Promise<Face> {
    const face = faces[await this.drawBelow(faces.length)]
    if (face === undefined) throw new RangeError('a die has at least one face')
    return face
  }

  /** A number from 0 to below `count`, all equally likely: what would favour the low ones is drawn again. */
  async drawBelow(count: number): Promise<number> {
    const faces = BigInt(count)
    const fair = DRAWS - (DRAWS % faces)
    let number = await this.#draw()
    while (number >= fair) number = await this.#draw()
    return Number(number % faces)
  }

  async #draw(): Promise<bigint> {
    const digest = await hmac(this.#key, eightBytes(this.draws))
    this.draws += 1
    return new DataView(digest.buffer).getBigUint64(0)
  }
}

/** The seed of fair dice: it follows from the server's secret and the numbers of all sides, in their order. */
export async function fairSeed(secret: Uint8Array<ArrayBuffer>, numbers: readonly string[]): Promise<string> {
  const parts = numbers.map(utf8)
  return toHex(await hmac(secret, joined(parts.flatMap((part) => [eightBytes(part.length), part]))))
}

/** A seed that nobody has thought of. */
export function newSeed(): string {
  const words = crypto.getRandomValues(new Uint32Array(2))
  return String((words[0] ?? 0) * 2 ** 16 + ((words[1] ?? 0) >>> 16))
}

export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function fromHex(text: string): Uint8Array<ArrayBuffer> {
  if (!/^([0-9a-f]{2})*$/i.test(text)) throw new RangeError('not a hexadecimal number')
  return Uint8Array.from(text.match(/../g) ?? [], (byte) => parseInt(byte, 16))
}

function eightBytes(number: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(number))
  return bytes
}

function joined(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((size, part) => size + part.length, 0))
  let place = 0
  for (const part of parts) {
    all.set(part, place)
    place += part.length
  }
  return all
}
