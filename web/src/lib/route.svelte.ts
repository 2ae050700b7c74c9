// The router. `/` is the start, `/battle` a table, `/live/ID` a live battle; the fragment never leaves the browser. A
// static site has a single path: there a fragment that names a table selects it.

import { HOME, IS_ALONE } from './home'

interface Route {
  view: 'start' | 'battle' | 'live'
  /** Of a live battle. */
  id: string
  /** The URL fragment. */
  fragment: string
}

export function routeOf({ pathname, hash }: { pathname: string; hash: string }): Route {
  const [first = '', second = ''] = pathname.split('/').filter((part) => part !== '')
  const fragment = hash.replace(/^#/, '')
  if (IS_ALONE) return { view: hasTable(fragment) ? 'battle' : 'start', id: '', fragment }
  if (first === 'live') return { view: 'live', id: decodeURIComponent(second), fragment }
  return { view: first === 'battle' ? 'battle' : 'start', id: '', fragment }
}

/** Whether a fragment names a table: a stored one, one encoded in the link, or an example. */
const hasTable = (fragment: string) => ['t', 'b', 'e'].some((name) => inFragment(fragment, name) !== null)

/** An address of this page such as `/battle#t=1`, as a browser goes there. */
export function toHref(address: string): string {
  if (!IS_ALONE) return address
  const [, fragment] = address.split('#')
  return fragment ? `${HOME.pathname}#${fragment}` : HOME.pathname
}

/** A value in a fragment such as `key=abc&x=1`. */
export function inFragment(fragment: string, name: string): string | null {
  return new URLSearchParams(fragment).get(name)
}

class Router {
  route = $state.raw(routeOf(location))

  constructor() {
    const arrived = () => (this.route = routeOf(location))
    addEventListener('popstate', arrived)
    addEventListener('hashchange', arrived)
  }

  /** Go to another address of this page. */
  go(address: string): void {
    history.pushState(null, '', toHref(address))
    this.route = routeOf(location)
  }

  /** Replace the current address. */
  rename(address: string): void {
    history.replaceState(null, '', toHref(address))
    this.route = routeOf(location)
  }
}

export const router = new Router()
