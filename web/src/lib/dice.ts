// Machine dice and fair dice, identical to the server's: they can be reproduced from the seed.

import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'

import type { Face } from './types'

const DRAWS = 2n ** 64n

/** Dice that follow from a seed; `draws` counts the numbers drawn so far. */
export class MachineDice {
  readonly #key: Uint8Array

  constructor(
    seed: string,
    public draws = 0,
  ) {
    this.#key = utf8ToBytes(seed)
  }

  roll(faces: Face[]): Face {
    const face = faces[this.drawBelow(faces.length)]
    if (face === undefined) throw new RangeError('a die has at least one face')
    return face
  }

  /** A uniform number below `count`, by rejection sampling. */
  drawBelow(count: number): number {
    const faces = BigInt(count)
    const fair = DRAWS - (DRAWS % faces)
    let number = this.#draw()
    while (number >= fair) number = this.#draw()
    return Number(number % faces)
  }

  #draw(): bigint {
    const digest = hmac(sha256, this.#key, eightBytes(this.draws))
    this.draws += 1
    return new DataView(digest.buffer, digest.byteOffset).getBigUint64(0)
  }
}

/** The seed of fair dice: it follows from the server's secret and the numbers of all sides, in their order. */
export function fairSeed(secret: Uint8Array, numbers: readonly string[]): string {
  const parts = numbers.map(utf8ToBytes)
  return bytesToHex(
    hmac(sha256, secret, concatBytes(...parts.flatMap((part) => [eightBytes(part.length), part]))),
  )
}

/** A random seed. */
export function newSeed(): string {
  const words = crypto.getRandomValues(new Uint32Array(2))
  return String((words[0] ?? 0) * 2 ** 16 + ((words[1] ?? 0) >>> 16))
}

function eightBytes(number: number): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(number))
  return bytes
}
