// A picture of the odds to take along: a few shapes and words, drawn as SVG or on a canvas.

import { type Counting, barChart } from './chart'
import { headline, headlines, isNumeric, word } from './measures'
import { percent, toNumber } from './numbers'
import type { Looks } from './sides'
import type { Measure, Odds } from './types'

type Shape =
  | { kind: 'box'; x: number; y: number; width: number; height: number; fill: string }
  | {
      kind: 'text'
      x: number
      y: number
      words: string
      size: number
      fill: string
      serif?: boolean
      bold?: boolean
      align?: 'start' | 'middle'
    }

/** How a side's numbers are drawn. */
interface Paint {
  colour: string
  isHollow: boolean
}

export interface Picture {
  width: number
  height: number
  shapes: Shape[]
}

const PAPER = '#fffcf5'
const INK = '#23261f'
const MUTED = '#6b6a5e'
const LINE = '#d9d0bd'
/** The sides' colours by day, whatever the page has: a picture has its own paper. */
const SIDES: Record<string, string> = {
  red: '#b23a2a',
  blue: '#2b5c8f',
  green: '#3f6b3a',
  yellow: '#8a6712',
  orange: '#9c5216',
  purple: '#6d4a82',
  brown: '#6b4a33',
  grey: '#66675f',
}
const SERIF = 'Palatino, Georgia, serif'
const SANS = 'system-ui, sans-serif'
const WIDTH = 640
const MARGIN = 28

/** Title, how it is known, the first numbers, and a chart of one or more measures. */
export function pictureOf(
  title: string,
  assumed: string,
  odds: Odds,
  shown: Measure[],
  counting: Counting,
  looks: Looks,
): Picture {
  const paint = (measure: Measure): Paint => {
    const side = looks.owner(measure)
    const { colour, outline } = looks.get(side)
    return { colour: (side && SIDES[colour]) || INK, isHollow: outline === 'square' }
  }
  const shapes: Shape[] = [
    { kind: 'text', x: MARGIN, y: 48, words: title, size: 24, fill: INK, serif: true, bold: true },
    { kind: 'text', x: MARGIN, y: 72, words: assumed, size: 13, fill: MUTED },
  ]
  for (const [place, measure] of headlines(odds).entries()) {
    const { figure, words } = headline(measure)
    const x = MARGIN + place * 196
    shapes.push(
      { kind: 'box', x, y: 92, width: 3, height: 50, fill: LINE },
      {
        kind: 'text',
        x: x + 12,
        y: 118,
        words: figure,
        size: 27,
        fill: paint(measure).colour,
        serif: true,
        bold: true,
      },
      { kind: 'text', x: x + 12, y: 138, words, size: 12, fill: MUTED },
    )
  }
  const numeric = shown.every(isNumeric)
  const below = numeric ? columns(shapes, shown, counting, paint) : rows(shapes, shown[0] as Measure, paint)
  return { width: WIDTH, height: below + MARGIN, shapes }
}

function columns(
  shapes: Shape[],
  shown: Measure[],
  counting: Counting,
  paint: (measure: Measure) => Paint,
): number {
  const top = 196
  let x = MARGIN
  for (const measure of shown) {
    const words = `${measure.label}, ${counting}`
    shapes.push(...bar({ x, y: top - 19, width: 11, height: 11 }, paint(measure)), {
      kind: 'text',
      x: x + 17,
      y: top - 9,
      words,
      size: 13,
      fill: INK,
    })
    x += 290
  }
  const chart = barChart(shown, counting, WIDTH - 2 * MARGIN, 250)
  for (const { x, y, width, height, series, label } of chart.bars) {
    shapes.push(...bar({ x: MARGIN + x, y: top + y, width, height }, paint(shown[series] as Measure)))
    const middle = MARGIN + x + width / 2
    shapes.push({
      kind: 'text',
      x: middle,
      y: top + y - 4,
      words: label,
      size: 11,
      fill: INK,
      align: 'middle',
    })
  }
  shapes.push({
    kind: 'box',
    x: MARGIN,
    y: top + chart.base,
    width: WIDTH - 2 * MARGIN,
    height: 1,
    fill: LINE,
  })
  for (const tick of chart.ticks) {
    const y = top + chart.base + 18
    shapes.push({
      kind: 'text',
      x: MARGIN + tick.x,
      y,
      words: tick.label,
      size: 12,
      fill: MUTED,
      align: 'middle',
    })
  }
  return top + 250
}

/** A bar; that of the second side is hollow, so that colour is not all. */
function bar(box: { x: number; y: number; width: number; height: number }, paint: Paint): Shape[] {
  const whole: Shape = { kind: 'box', ...box, fill: paint.colour }
  const [width, height] = [box.width - 6, box.height - 6]
  if (!paint.isHollow || width <= 0 || height <= 0) return [whole]
  return [whole, { kind: 'box', x: box.x + 3, y: box.y + 3, width, height, fill: PAPER }]
}

function rows(shapes: Shape[], measure: Measure, paint: (measure: Measure) => Paint): number {
  shapes.push({ kind: 'text', x: MARGIN, y: 186, words: measure.label, size: 13, fill: INK })
  let y = 200
  for (const [value, p] of measure.values) {
    const width = Math.max(toNumber(p) * 340, 1)
    shapes.push(
      { kind: 'text', x: MARGIN, y: y + 15, words: word(value), size: 13, fill: INK },
      { kind: 'box', x: 170, y, width, height: 20, fill: paint(measure).colour },
      { kind: 'text', x: 178 + width, y: y + 15, words: percent(p, 1), size: 12, fill: INK },
    )
    y += 28
  }
  return y
}

export function toSvg({ width, height, shapes }: Picture): string {
  const drawn = shapes.map((shape) =>
    shape.kind === 'box'
      ? `<rect x="${round(shape.x)}" y="${round(shape.y)}" width="${round(shape.width)}" height="${round(shape.height)}" fill="${shape.fill}"/>`
      : `<text x="${round(shape.x)}" y="${round(shape.y)}" font-family="${shape.serif ? SERIF : SANS}" font-size="${shape.size}" font-weight="${shape.bold ? 700 : 400}" text-anchor="${shape.align ?? 'start'}" fill="${shape.fill}">${escaped(shape.words)}</text>`,
  )
  const paper = `<rect width="${width}" height="${height}" fill="${PAPER}"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">\n${[paper, ...drawn].join('\n')}\n</svg>\n`
}

export function toPng({ width, height, shapes }: Picture, scale = 2): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = width * scale
  canvas.height = height * scale
  const pen = canvas.getContext('2d')
  if (!pen) return Promise.reject(new Error('this browser draws no pictures'))
  pen.scale(scale, scale)
  pen.fillStyle = PAPER
  pen.fillRect(0, 0, width, height)
  for (const shape of shapes) {
    pen.fillStyle = shape.fill
    if (shape.kind === 'box') {
      pen.fillRect(shape.x, shape.y, shape.width, shape.height)
      continue
    }
    pen.font = `${shape.bold ? 'bold ' : ''}${shape.size}px ${shape.serif ? SERIF : SANS}`
    pen.textAlign = shape.align === 'middle' ? 'center' : 'left'
    pen.fillText(shape.words, shape.x, shape.y)
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('this browser makes no PNG'))),
      'image/png',
    )
  })
}

function round(number: number): number {
  return Math.round(number * 100) / 100
}

function escaped(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
