// Staying usable without a network: the service worker keeps the page's files, and newer ones wait until they are wanted.

import { HOME } from './home'

/** The engine's files are kept once the page has been quiet for so long. */
const QUIET = 5_000
/** The first visit waits so long for the worker before it loads the engine past it. */
const PATIENCE = 2_000

class Update {
  /** A newer version of the page waits to be used. */
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

/** A part of the page is gone, as a newer version has replaced it: load that one, but only once for the same part. */
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
