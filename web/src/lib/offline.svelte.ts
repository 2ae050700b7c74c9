// Offline use: the service worker caches the page's files; a newer version waits until the user asks for it.

import { HOME } from './home'

/** Milliseconds after the start until the engine's files are cached. */
const QUIET = 5_000
/** Milliseconds that the first visit waits for the service worker before it loads the engine without it. */
const PATIENCE = 2_000

class Update {
  /** Whether a newer version is installed and waiting. */
  isWaiting = $state(false)
  #registration: ServiceWorkerRegistration | null = null

  watch(registration: ServiceWorkerRegistration): void {
    this.#registration = registration
    const look = () => (this.isWaiting = registration.waiting !== null && registration.active !== null)
    look()
    registration.addEventListener('updatefound', () => {
      registration.installing?.addEventListener('statechange', look)
    })
  }

  /** Use the newer version now. */
  take(): void {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload())
    this.#registration?.waiting?.postMessage('take over')
  }
}

export const update = new Update()

const RELOADED = 'grognard.reloaded'

/** Reload when a chunk of the page is missing because a newer version replaced it; only once per chunk. */
export function reloadIfReplaced(): void {
  addEventListener('vite:preloadError', (event) => {
    const { message } = event.payload
    try {
      if (sessionStorage.getItem(RELOADED) === message) return
      sessionStorage.setItem(RELOADED, message)
    } catch {
      return
    }
    location.reload()
  })
}

/** Have the page's files kept on this device, where the browser can. */
export async function stayOffline(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  try {
    const registration = await navigator.serviceWorker.register(new URL('sw.js', HOME), {
      scope: HOME.pathname,
    })
    update.watch(registration)
    const ready = navigator.serviceWorker.ready
    await Promise.race([ready, new Promise((late) => setTimeout(late, PATIENCE))])
    setTimeout(() => void ready.then(({ active }) => active?.postMessage('keep all')), QUIET)
  } catch {
    // a private window, or plain HTTP from another machine: the page works, but only with its server
  }
}
