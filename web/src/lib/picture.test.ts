import { expect, test } from 'vitest'

import { pictureOf } from './picture'

test('a picture has the title, the lines and what is drawn, in SVG that is well formed and carries its own style', () => {
  const page = document.createElement('div')
  page.innerHTML = `<style>.bar { fill: red }</style><svg viewBox="0 0 400 190" role="img" class="chart">
    <title>Losses</title><rect class="bar" width="9" height="9"/><line data-live="" x1="5"/></svg>`
  document.body.append(page)
  const chart = page.querySelector('svg') as SVGSVGElement
  Object.defineProperty(chart, 'viewBox', { value: { baseVal: { width: 400, height: 190 } } })
  const { svg, width } = pictureOf(chart, 'Guns & <rifles>', [
    { words: 'exact' },
    { words: 'average losses 1.00', colour: 'rgb(0, 0, 255)' },
  ])
  const picture = new DOMParser().parseFromString(svg, 'image/svg+xml')
  expect(picture.querySelector('parsererror')).toBeNull()
  expect([...picture.querySelectorAll('text')].map((text) => text.textContent)).toEqual([
    'Guns & <rifles>',
    'exact',
    'average losses 1.00',
  ])
  expect(picture.querySelectorAll('text')[2]?.getAttribute('fill')).toBe('rgb(0, 0, 255)')
  expect(picture.querySelector('svg svg rect')?.getAttribute('fill')).toMatch(/^(red|rgb\(255, 0, 0\))$/)
  expect(picture.querySelectorAll('[class], [data-live]')).toHaveLength(0)
  expect(width).toBe(456)
})
