// House rules: the chosen interpretation of each ambiguous rule.

import type { Battle, Json, Switch } from './types'

type Rules = { [name: string]: Json | undefined }

/** The rules that a battle file changes. */
export function rulesOf(battle: Battle): Rules {
  return (battle.rules as Rules | undefined) ?? {}
}

/** The battle with a house rule set to this value; the default is left out. */
export function withRule(battle: Battle, which: Switch, value: Json): Battle {
  const others = Object.entries(rulesOf(battle)).filter(([name]) => name !== which.name)
  const chosen = value === which.default ? others : [...others, [which.name, value]]
  const rest = Object.entries(battle).filter(([key]) => key !== 'rules')
  return Object.fromEntries(chosen.length ? [...rest, ['rules', Object.fromEntries(chosen)]] : rest) as Battle
}

/** The value of a house rule in words. */
export function formatRuleValue(value: Json): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' ? 'as written in the file' : String(value).replaceAll('_', ' ')
}
