import { expect, test } from 'vitest'

import { fileName, titleOf } from './files'
import { inFragment, routeOf } from './route.svelte'

test('titles become names of files and names become titles', () => {
  expect(titleOf('02-guns-on-rifles.toml')).toBe('Guns on rifles')
  expect(titleOf('my_battle.JSON')).toBe('My battle')
  expect(fileName('Guns on rifles', 'toml')).toBe('guns-on-rifles.toml')
  expect(fileName('Grüße!', 'log.json')).toBe('gru-e.log.json')
  expect(fileName('東京', 'toml')).toBe('battle.toml')
})

test('addresses lead to views', () => {
  expect(routeOf({ pathname: '/', hash: '' })).toEqual({ view: 'start', id: '', fragment: '' })
  expect(routeOf({ pathname: '/battle', hash: '#t=abc' })).toEqual({
    view: 'battle',
    id: '',
    fragment: 't=abc',
  })
  expect(routeOf({ pathname: '/live/a-B_1', hash: '#key=x' })).toEqual({
    view: 'live',
    id: 'a-B_1',
    fragment: 'key=x',
  })
  expect(inFragment('t=abc', 't')).toBe('abc')
  expect(inFragment('b=1.x', 't')).toBeNull()
})
