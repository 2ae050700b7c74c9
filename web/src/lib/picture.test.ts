import { expect, test } from 'vitest'

import * as supply from '../testing/supply'
import { pictureOf, toSvg } from './picture'
import { Looks } from './sides'

const looks = new Looks(['red', 'blue'])

test('a picture says the title, how it is known, and the first numbers, in SVG that is well formed', () => {
  const svg = toSvg(
    pictureOf('Guns & <rifles>', 'exact', supply.odds, supply.measures.slice(0, 2), 'exactly', looks),
  )
  const page = new DOMParser().parseFromString(svg, 'image/svg+xml')
  expect(page.querySelector('parsererror')).toBeNull()
  const words = [...page.querySelectorAll('text')].map((text) => text.textContent)
  expect(words).toEqual(
    expect.arrayContaining([
      'Guns & <rifles>',
      'exact',
      '1.00',
      '0.25',
      '25.0 %',
      'Red guns: losses, exactly',
    ]),
  )
})

test('names are drawn as bars that lie, one for each', () => {
  const held = {
    name: 'held by',
    label: 'held by',
    side: null,
    role: null,
    values: [
      ['Blue', 0.75],
      ['Red', 0.25],
    ] as [string, number][],
    mean: null,
    sd: null,
  }
  const { shapes } = pictureOf('Who', 'exact', supply.odds, [held], 'exactly', looks)
  const words = shapes.flatMap((shape) => (shape.kind === 'text' ? [shape.words] : []))
  expect(words).toEqual(expect.arrayContaining(['held by', 'Blue', '75.0 %', 'Red', '25.0 %']))
})
