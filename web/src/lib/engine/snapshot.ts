// The memory of Python right after the engine was loaded. It is kept on this device: the next start from it takes a
// fraction of the time.

/** Named as the service worker names its own, which forgets them all when a newer version takes over. */
const CACHE = 'grognard-snapshot'

/** The snapshot of exactly this engine, and how to keep or forget it. */
export interface Place {
  kept: Uint8Array<ArrayBuffer> | null
  keep: (snapshot: Uint8Array<ArrayBuffer>) => Promise<void>
  forget: () => Promise<unknown>
}

/** Null where a browser keeps nothing, as in a page by plain HTTP. */
export async function snapshotOf(engine: Uint8Array<ArrayBuffer>, home: string): Promise<Place | null> {
  try {
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', engine))
    const address = `${home}snapshot/${[...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
    const response = await caches.match(address)
    return {
      kept: response ? new Uint8Array(await response.arrayBuffer()) : null,
      keep: async (snapshot) => (await caches.open(CACHE)).put(address, new Response(snapshot)),
      forget: () => caches.delete(CACHE),
    }
  } catch {
    return null
  }
}
