// Keeps the page's files on this device. `self.FILES` is replaced by the list of them: each with the hash of its
// content, those that may come later, and whether there is a server beside them.

const { files, later, alone } = self.FILES
const VERSION = `grognard-${files['index.html']}-${files['engine.zip']}-${files['systems.json']}`
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
  if (event.data === 'keep all') event.waitUntil(keep(later))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET' || !request.url.startsWith(self.registration.scope)) return
  const path = new URL(request.url.split(/[?#]/)[0]).href.slice(self.registration.scope.length)
  if (path === '' || path === 'battle' || path === 'index.html') event.respondWith(page(request))
  else if (path in files) event.respondWith(kept(path))
})

/** The page: where there is a server, as it has it now. */
async function page(request) {
  if (alone) return kept('index.html')
  try {
    return await fetch(request)
  } catch {
    return kept('index.html')
  }
}

/** A file as it is kept, or else from the network, and then it is kept. */
async function kept(path) {
  const cache = await caches.open(VERSION)
  const known = await cache.match(at(path))
  if (known) return known
  const response = await fetch(at(path), { cache: 'no-cache' })
  if (response.ok) await cache.put(at(path), response.clone())
  return response
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
    if (copy) await cache.put(at(path), copy)
    else await kept(path)
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
