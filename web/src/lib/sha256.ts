// SHA-256 for pages that come over plain HTTP, as from a laptop to a phone at the same table: browsers keep their own
// from them (FIPS 180-4).

const PRIMES = firstPrimes(64)
const ROUND = PRIMES.map((prime) => fractionalBits(Math.cbrt(prime)))
const START = PRIMES.slice(0, 8).map((prime) => fractionalBits(Math.sqrt(prime)))

export function sha256(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const hash = Uint32Array.from(START)
  const words = new DataView(padded(message).buffer)
  for (let block = 0; block < words.byteLength; block += 64) mix(hash, schedule(words, block))
  const digest = new Uint8Array(32)
  const view = new DataView(digest.buffer)
  hash.forEach((word, place) => view.setUint32(4 * place, word))
  return digest
}

function padded(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(64 * Math.ceil((message.length + 9) / 64))
  all.set(message)
  all[message.length] = 0x80
  new DataView(all.buffer).setBigUint64(all.length - 8, BigInt(message.length) * 8n)
  return all
}

function schedule(words: DataView, block: number): Uint32Array {
  const w = new Uint32Array(64)
  for (let t = 0; t < 16; t++) w[t] = words.getUint32(block + 4 * t)
  for (let t = 16; t < 64; t++) {
    const [early, late] = [at(w, t - 15), at(w, t - 2)]
    const low = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3)
    const high = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10)
    w[t] = at(w, t - 16) + low + at(w, t - 7) + high
  }
  return w
}

function mix(hash: Uint32Array, w: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = hash as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  for (let t = 0; t < 64; t++) {
    const choice = (e & f) ^ (~e & g)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const first = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + (ROUND[t] ?? 0) + at(w, t)
    const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  for (const [place, word] of [a, b, c, d, e, f, g, h].entries()) hash[place] = at(hash, place) + word
}

function at(words: Uint32Array, place: number): number {
  return words[place] ?? 0
}

function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}

function firstPrimes(count: number): number[] {
  const primes: number[] = []
  for (let number = 2; primes.length < count; number++) {
    if (primes.every((prime) => number % prime)) primes.push(number)
  }
  return primes
}

function fractionalBits(root: number): number {
  return Math.floor((root % 1) * 2 ** 32)
}
