// Keeps the page's files on this device. `self.FILES` is replaced by the list of them: each with the hash of its
// content, those that may come later, whether there is no server beside them, and the hash of all that.

const { files, later, alone, version } = self.FILES
const VERSION = `grognard-${version}`
const LIST = 'files.json'
const at = (path) => new URL(path, self.registration.scope).href

self.addEventListener('install', (event) => {
  event.waitUntil(keep(Object.keys(files).filter((path) => !later.includes(path))))
  if (!alone) self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  event.waitUntil(forgetOthers().then(() => self.clients.claim()))
})

self.addEventListener('message', (event) => {
  if (event.data === 'take over') event.waitUntil(self.skipWaiting())
  if (event.data === 'keep all') event.waitUntil(keep(later).catch(() => undefined)) // the next visit tries again
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET' || !request.url.startsWith(self.registration.scope)) return
  const path = new URL(request.url.split(/[?#]/)[0]).href.slice(self.registration.scope.length)
  if (path === '' || path === 'battle' || path === 'index.html') event.respondWith(page(event))
  else if (path in files) event.respondWith(kept(path, event))
})

/** The page: where there is a server, as it has it now. */
async function page(event) {
  if (alone) return kept('index.html', event)
  const response = await fetch(event.request).catch(() => null)
  return response && response.status < 500 ? response : kept('index.html', event)
}

/** A file as it is kept, or else from the network; then it is kept beside the answer, if there is room. */
async function kept(path, event) {
  const known = await caches.match(at(path), { cacheName: VERSION }).catch(() => null)
  if (known) return known
  const response = await load(path)
  const copy = response.clone()
  event.waitUntil(put(path, copy).catch(() => undefined))
  return response
}

const load = (path) => fetch(at(path), { cache: 'no-cache' })

/** Keep a file, if it came whole and is the one of this version. */
async function put(path, response) {
  const cache = await caches.open(VERSION)
  const copy = response.clone()
  if (!response.ok || !(await isOfThisVersion(path, response))) throw new Error(`${path} is another file`)
  await cache.put(at(path), copy)
}

async function isOfThisVersion(path, response) {
  if (path.endsWith('.gz') && response.headers.has('Content-Encoding')) return true // unpacked on its way
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await response.arrayBuffer()))
  const digits = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.startsWith(files[path])
}

/** Keep files: those that an older version has with the same content are taken from there. */
async function keep(paths) {
  const cache = await caches.open(VERSION)
  await cache.put(at(LIST), new Response(JSON.stringify(files)))
  const others = (await caches.keys()).filter((name) => name !== VERSION)
  const older = await Promise.all(others.map(async (name) => olderFiles(await caches.open(name))))
  for (const path of paths) {
    if (await cache.match(at(path))) continue
    const same = older.find(({ list }) => list[path] === files[path])
    const copy = same && (await same.cache.match(at(path)))
    const isKept =
      copy &&
      (await put(path, copy).then(
        () => true,
        () => false,
      ))
    if (!isKept) await put(path, await load(path))
  }
}

async function olderFiles(cache) {
  const list = await cache.match(at(LIST))
  return { cache, list: list ? await list.json() : {} }
}

async function forgetOthers() {
  const names = await caches.keys()
  const others = names.filter((name) => name.startsWith('grognard-') && name !== VERSION)
  await Promise.all(others.map((name) => caches.delete(name)))
}
