// Boards of squares and of hexes: where tiles are drawn, and how far they lie apart. A tile is [column, row] from 1.
// Hexes have a point to the north; odd rows lie half a hex to the right.

export type Tile = readonly [number, number]

export interface Point {
  x: number
  y: number
}

/** The part of a board that is drawn. A square is 100 wide, and so is a hex. */
export interface Grid {
  readonly shape: 'squares' | 'hexes'
  readonly first: Tile
  readonly last: Tile
  readonly width: number
  readonly height: number
  /** The ways from a tile to the next, clockwise. */
  readonly directions: readonly string[]
  centre(tile: Tile): Point
  corners(tile: Tile): Point[]
  tileAt(point: Point): Tile | null
  distance(a: Tile, b: Tile): number
  step(tile: Tile, direction: string): Tile
  has(tile: Tile): boolean
}

export const WIDE = 100
const RADIUS = WIDE / Math.sqrt(3)
const ROW = RADIUS * 1.5

const SQUARE_STEPS: Record<string, Tile> = { north: [0, -1], east: [1, 0], south: [0, 1], west: [-1, 0] }
/** Half hexes to the east, rows to the south. */
const HEX_STEPS: Record<string, Tile> = {
  northeast: [1, -1],
  east: [2, 0],
  southeast: [1, 1],
  southwest: [-1, 1],
  west: [-2, 0],
  northwest: [-1, -1],
}
export const HEX_DIRECTIONS: readonly string[] = Object.keys(HEX_STEPS)

const odd = (row: number) => Math.abs(row % 2)

/** How far b lies from a: half hexes to the east, rows to the south. */
export function offset(a: Tile, b: Tile): Tile {
  return [2 * (b[0] - a[0]) + odd(b[1]) - odd(a[1]), b[1] - a[1]]
}

export function hexDistance(a: Tile, b: Tile): number {
  const [halves, rows] = offset(a, b).map(Math.abs) as [number, number]
  return rows + Math.max(0, Math.floor((halves - rows) / 2))
}

export function hexStep(tile: Tile, direction: string): Tile {
  const [halves, rows] = HEX_STEPS[direction] ?? [0, 0]
  return [Math.floor((2 * tile[0] + odd(tile[1]) + halves) / 2), tile[1] + rows]
}

function squareStep(tile: Tile, direction: string): Tile {
  const [columns, rows] = SQUARE_STEPS[direction] ?? [0, 0]
  return [tile[0] + columns, tile[1] + rows]
}

function within(first: Tile, last: Tile) {
  return (tile: Tile) =>
    tile[0] >= first[0] && tile[0] <= last[0] && tile[1] >= first[1] && tile[1] <= last[1]
}

/** Squares from one corner to the other; with `diagonal`, a diagonal step is one. */
export function squares(first: Tile, last: Tile, diagonal = false): Grid {
  const has = within(first, last)
  const centre = (tile: Tile): Point => ({
    x: (tile[0] - first[0] + 0.5) * WIDE,
    y: (tile[1] - first[1] + 0.5) * WIDE,
  })
  const half = WIDE / 2
  return {
    shape: 'squares',
    first,
    last,
    has,
    centre,
    width: (last[0] - first[0] + 1) * WIDE,
    height: (last[1] - first[1] + 1) * WIDE,
    directions: Object.keys(SQUARE_STEPS),
    step: squareStep,
    corners(tile) {
      const { x, y } = centre(tile)
      return [
        { x: x - half, y: y - half },
        { x: x + half, y: y - half },
        { x: x + half, y: y + half },
        { x: x - half, y: y + half },
      ]
    },
    tileAt({ x, y }) {
      const tile: Tile = [first[0] + Math.floor(x / WIDE), first[1] + Math.floor(y / WIDE)]
      return has(tile) ? tile : null
    },
    distance(a, b) {
      const [columns, rows] = [Math.abs(b[0] - a[0]), Math.abs(b[1] - a[1])]
      return diagonal ? Math.max(columns, rows) : columns + rows
    },
  }
}

/** The hexes of a board whose last tile is at this column and row. */
export function hexes(last: Tile): Grid {
  const first: Tile = [1, 1]
  const has = within(first, last)
  const centre = (tile: Tile): Point => ({
    x: (tile[0] - 0.5 + odd(tile[1]) / 2) * WIDE,
    y: RADIUS + (tile[1] - 1) * ROW,
  })
  return {
    shape: 'hexes',
    first,
    last,
    has,
    centre,
    width: (last[0] + 0.5) * WIDE,
    height: 2 * RADIUS + (last[1] - 1) * ROW,
    directions: HEX_DIRECTIONS,
    step: hexStep,
    distance: hexDistance,
    corners(tile) {
      const { x, y } = centre(tile)
      return [0, 1, 2, 3, 4, 5].map((corner) => {
        const angle = (Math.PI / 3) * corner - Math.PI / 2
        return { x: x + RADIUS * Math.cos(angle), y: y + RADIUS * Math.sin(angle) }
      })
    },
    tileAt(point) {
      const row = Math.round((point.y - RADIUS) / ROW) + 1
      const near = [row - 1, row, row + 1].flatMap((r): Tile[] => {
        const column = Math.round(point.x / WIDE + 0.5 - odd(r) / 2)
        return [[column, r]]
      })
      const away = (tile: Tile) => Math.hypot(centre(tile).x - point.x, centre(tile).y - point.y)
      const nearest = near.reduce((best, tile) => (away(tile) < away(best) ? tile : best))
      return has(nearest) && away(nearest) <= RADIUS ? nearest : null
    },
  }
}

/** All tiles of the grid within a distance of one of them, itself excepted. */
export function around(grid: Grid, tile: Tile, reach: number): Tile[] {
  const tiles: Tile[] = []
  const rows = [Math.max(grid.first[1], tile[1] - reach), Math.min(grid.last[1], tile[1] + reach)] as const
  const columns = [
    Math.max(grid.first[0], tile[0] - reach - 1),
    Math.min(grid.last[0], tile[0] + reach + 1),
  ] as const
  for (let row = rows[0]; row <= rows[1]; row++) {
    for (let column = columns[0]; column <= columns[1]; column++) {
      const away = grid.distance(tile, [column, row])
      if (away > 0 && away <= reach) tiles.push([column, row])
    }
  }
  return tiles
}

/** The free tile nearest to one, row by row among equals; null if there is none. */
export function nearestFree(grid: Grid, near: Tile, taken: readonly Tile[]): Tile | null {
  const isTaken = (tile: Tile) => taken.some((other) => other[0] === tile[0] && other[1] === tile[1])
  if (grid.has(near) && !isTaken(near)) return near
  const furthest = grid.last[0] - grid.first[0] + grid.last[1] - grid.first[1] + 2
  for (let reach = 1; reach <= furthest; reach++) {
    const free = around(grid, near, reach).find((tile) => !isTaken(tile))
    if (free) return free
  }
  return null
}

/** The lines between tiles as one path. */
export function lines(grid: Grid): string {
  if (grid.shape === 'squares') return squareLines(grid)
  const tiles: Tile[] = []
  for (let row = grid.first[1]; row <= grid.last[1]; row++) {
    for (let column = grid.first[0]; column <= grid.last[0]; column++) tiles.push([column, row])
  }
  return tiles.map((tile) => outline(grid, tile)).join('')
}

function squareLines({ first, last, width, height }: Grid): string {
  const down = Array.from({ length: last[0] - first[0] }, (_, n) => `M${(n + 1) * WIDE} 0V${height}`)
  const across = Array.from({ length: last[1] - first[1] }, (_, n) => `M0 ${(n + 1) * WIDE}H${width}`)
  return [...down, ...across].join('')
}

export function outline(grid: Grid, tile: Tile): string {
  const points = grid.corners(tile).map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`)
  return `M${points.join('L')}Z`
}

/** `column 2, row 3`. */
export function formatTile(tile: Tile): string {
  return `column ${tile[0]}, row ${tile[1]}`
}
