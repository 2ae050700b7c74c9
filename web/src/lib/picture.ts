// A picture of the odds to take along: the chart as the page draws it, under its title.

/** What the page's style says of a shape, and a picture has to carry with it. */
const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'opacity',
  'font-family',
  'font-size',
  'text-anchor',
]
const MARGIN = 28
const LINE = 21
const SVG = 'http://www.w3.org/2000/svg'

export interface Picture {
  svg: string
  width: number
  height: number
}

/** A line of text, in the colour of a side or in ink. */
interface Line {
  words: string
  colour?: string
}

/** A chart with a title and some lines above it, as a file that needs no other. */
export function pictureOf(chart: SVGSVGElement, title: string, lines: readonly Line[]): Picture {
  const page = getComputedStyle(document.documentElement)
  const [ink, paper] = [page.getPropertyValue('--ink'), page.getPropertyValue('--panel')]
  const box = chart.viewBox.baseVal
  const head = MARGIN + 24 + LINE * lines.length + 16
  const [width, height] = [box.width + 2 * MARGIN, head + box.height + MARGIN]
  const whole = made('svg', { viewBox: `0 0 ${width} ${height}`, width, height })
  whole.append(
    made('rect', { width, height, fill: paper || 'white' }),
    text(title, MARGIN + 18, {
      'font-size': 24,
      'font-weight': 700,
      'font-family': 'Alegreya, Palatino, serif',
    }),
    ...lines.map(({ words, colour }, number) =>
      text(words, MARGIN + 24 + LINE * (number + 1), {
        'font-size': 14,
        ...(colour ? { fill: resolved(chart, colour) } : {}),
      }),
    ),
  )
  const drawn = styled(chart)
  for (const [name, value] of Object.entries({ x: MARGIN, y: head, width: box.width, height: box.height }))
    drawn.setAttribute(name, String(value))
  whole.append(drawn)
  return { svg: new XMLSerializer().serializeToString(whole), width, height }

  function text(words: string, y: number, style: Record<string, string | number>): SVGElement {
    const element = made('text', {
      x: MARGIN,
      y,
      fill: ink || 'black',
      'font-family': 'system-ui, sans-serif',
      ...style,
    })
    element.textContent = words
    return element
  }
}

/** A colour as a file can have it, without the names that the page gives to colours. */
function resolved(beside: Element, colour: string): string {
  const probe = document.createElement('span')
  probe.style.color = colour
  beside.after(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

function made(name: string, attributes: Record<string, string | number>): SVGElement {
  const element = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  return element
}

/** A copy that looks the same without the page's style, and without what can be dragged. */
function styled(drawn: SVGSVGElement): SVGSVGElement {
  const copy = drawn.cloneNode(true) as SVGSVGElement
  const pairs = [...drawn.querySelectorAll('*')].map(
    (was, place) => [was, copy.querySelectorAll('*')[place]] as const,
  )
  for (const [was, is] of pairs) {
    const style = getComputedStyle(was)
    is?.removeAttribute('class')
    is?.removeAttribute('style')
    for (const name of STYLES) {
      const value = style.getPropertyValue(name)
      if (value) is?.setAttribute(name, value)
    }
  }
  for (const live of copy.querySelectorAll('[data-live]')) live.remove()
  for (const name of ['class', 'role', 'aria-labelledby', 'aria-describedby']) copy.removeAttribute(name)
  return copy
}

export async function toPng({ svg, width, height }: Picture, scale = 2): Promise<Blob> {
  const image = new Image()
  image.src = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = width * scale
  canvas.height = height * scale
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  URL.revokeObjectURL(image.src)
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('this browser makes no PNG'))),
      'image/png',
    )
  })
}
