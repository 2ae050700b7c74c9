// Where on the page we are, as the address says. `/` is the start, `/battle` a table, `/live/ID` a live battle; the part
// behind `#` never leaves the browser.

export interface Route {
  view: 'start' | 'battle' | 'live'
  /** Of a live battle. */
  id: string
  /** What stands behind the `#`. */
  fragment: string
}

export function routeOf({ pathname, hash }: { pathname: string; hash: string }): Route {
  const [first = '', second = ''] = pathname.split('/').filter((part) => part !== '')
  const fragment = hash.replace(/^#/, '')
  if (first === 'live') return { view: 'live', id: decodeURIComponent(second), fragment }
  return { view: first === 'battle' ? 'battle' : 'start', id: '', fragment }
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
    history.pushState(null, '', address)
    this.route = routeOf(location)
  }

  /** Call the place we are at by another address. */
  rename(address: string): void {
    history.replaceState(null, '', address)
    this.route = routeOf(location)
  }
}

export const router = new Router()
