// From one thing on a board to the next with the arrow keys.

import type { Point } from './grid'

const ARROWS: Record<string, Point> = {
  ArrowUp: { x: 0, y: -1 },
  ArrowRight: { x: 1, y: 0 },
  ArrowDown: { x: 0, y: 1 },
  ArrowLeft: { x: -1, y: 0 },
}

/** The nearest of the others that lies that way, within 45° or, if there is none, within 90°; -1 if none does. */
export function nearestThatWay(points: readonly Point[], from: number, way: Point): number {
  const start = points[from]
  if (!start) return -1
  const others = points.flatMap((point, number) => {
    const [x, y] = [point.x - start.x, point.y - start.y]
    const ahead = x * way.x + y * way.y
    const aside = Math.abs(x * way.y - y * way.x)
    return number !== from && ahead > 0 ? [{ number, ahead, aside, away: Math.hypot(x, y) }] : []
  })
  const straight = others.filter(({ ahead, aside }) => aside <= ahead)
  const best = (straight.length ? straight : others).reduce<(typeof others)[number] | null>(
    (nearest, other) => (nearest === null || other.away < nearest.away ? other : nearest),
    null,
  )
  return best?.number ?? -1
}

/** What the keys do with a piece that has the focus. */
interface Keys {
  activate: () => void
  leave: () => void
  arrow: (way: Point) => void
  /** Go to the first piece, or to the last. */
  end: (place: 0 | -1) => void
}

/** Do what a key stands for; false if it stands for nothing. */
export function handleKey(key: string, { activate, leave, arrow, end }: Keys): boolean {
  const way = ARROWS[key]
  if (key === 'Enter' || key === ' ') activate()
  else if (key === 'Escape') leave()
  else if (way) arrow(way)
  else if (key === 'Home' || key === 'End') end(key === 'Home' ? 0 : -1)
  else return false
  return true
}

/** Give a drawn piece the focus. */
export function focusPiece(svg: SVGSVGElement | undefined, place: string): void {
  const drawn = [...(svg?.querySelectorAll<SVGGElement>('.piece') ?? [])]
  drawn.find((one) => one.dataset.place === place)?.focus()
}
