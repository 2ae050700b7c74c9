// The colours of attacker and defender in odds and logs: those that their sides have on the battlefield.

import { looksOf } from '../battlefields/shared/sides'
import { sidesOf } from './sides'
import type { Battle, Side } from './types'

/** Sides in these colours could not be read as text on paper, or at night. */
const UNREADABLE = ['white', 'black']

/** Each side's colour as a CSS value. */
export function coloursOf(battle: Battle): Record<Side, string> {
  const names = namesOf(battle)
  const css = (name: string) => (UNREADABLE.includes(name) ? 'var(--ink)' : `var(--side-${name})`)
  return { attacker: css(names.attacker), defender: css(names.defender) }
}

/** Each side's colour by its name. */
export function namesOf(battle: Battle): Record<Side, string> {
  const { attacker, defender } = sidesOf(battle)
  const found = looksOf(battle)
  const first = found.get(attacker[0] ?? '')?.colour
  const second = found.get(defender[0] ?? '')?.colour
  return { attacker: first ?? (second === 'red' ? 'blue' : 'red'), defender: second ?? 'blue' }
}
