// Loadouts: all dice of a frame in one word such as WWBBYRdRdR8r, read and written.

export const KINDS = ['defense', 'movement', 'spotting', 'hand', 'direct', 'artillery'] as const
export type Kind = (typeof KINDS)[number]
export type WeaponRange = 'hand' | 'direct' | 'artillery'
export type Colour = 'white' | 'blue' | 'green' | 'yellow' | 'red'

export interface Loadout {
  systems: Kind[]
  white: number
  rockets: number
}

/** A die of a frame's pool: its name as events have it. */
export interface PoolDie {
  die: string
  of: string
}

const MOST_SYSTEMS = 4
const MOST_ALIKE = 2
export const MOST_ROCKETS = 3

export const COLOURS: Record<Kind, Colour> = {
  defense: 'blue',
  movement: 'green',
  spotting: 'yellow',
  hand: 'red',
  direct: 'red',
  artillery: 'red',
}

const SINGLE: Record<string, Kind> = { B: 'defense', G: 'movement', Y: 'spotting' }
const WEAPONS: Record<string, Kind> = { h: 'hand', d: 'direct', a: 'artillery' }
const DICE = /W|B|G8|G|Y|R8[hdar]|R[hda]/g

const count = (systems: readonly Kind[], kind: Kind) => systems.filter((one) => one === kind).length

/** What the word stands for; null if it is not made of dice. Whether a frame may be so is the server's to say. */
export function readLoadout(word: string): Loadout | null {
  const dice = word.match(DICE) ?? []
  if (!word || dice.join('') !== word) return null
  const seen = new Set<string>()
  const systems = dice.flatMap((die): Kind[] => {
    const single = SINGLE[die]
    const weapon = die.startsWith('R') ? WEAPONS[die.at(-1) ?? ''] : undefined
    if (single) return [single]
    if (!weapon || seen.has(die)) return []
    seen.add(die)
    return [weapon]
  })
  return {
    systems,
    white: dice.filter((die) => die === 'W').length,
    rockets: dice.filter((die) => die === 'R8r').length,
  }
}

/** The word in its usual order: white, blue, green, yellow, the sprint die, red, rockets. */
export function writeLoadout({ systems, white, rockets }: Loadout): string {
  const singles = Object.entries(SINGLE).map(([letter, kind]) => letter.repeat(count(systems, kind)))
  const weapons = Object.entries(WEAPONS).map(([letter, kind]) => {
    const carried = count(systems, kind)
    return (carried > 0 ? `R${letter}R${letter}` : '') + (carried > 1 ? `R8${letter}` : '')
  })
  return [
    'W'.repeat(white),
    ...singles,
    sprints(systems) ? 'G8' : '',
    ...weapons,
    'R8r'.repeat(rockets),
  ].join('')
}

/** A frame that carries no ranged weapon has a green d8. */
function sprints(systems: readonly Kind[]): boolean {
  return !systems.includes('direct') && !systems.includes('artillery')
}

/** All dice of a frame. */
export function poolOf({ systems, white, rockets }: Loadout): PoolDie[] {
  const dice = (many: number, die: string, of: string): PoolDie[] =>
    Array.from({ length: many }, () => ({ die, of }))
  const weapons = (['hand', 'direct', 'artillery'] as const).flatMap((range) => {
    const carried = count(systems, range)
    return [...dice(carried > 0 ? 2 : 0, 'red d6', range), ...dice(carried > 1 ? 1 : 0, 'red d8', range)]
  })
  return [
    ...dice(white, 'white d6', 'anything'),
    ...dice(count(systems, 'defense'), 'blue d6', 'defense'),
    ...dice(count(systems, 'movement'), 'green d6', 'movement'),
    ...dice(sprints(systems) ? 1 : 0, 'green d8', 'sprint'),
    ...dice(count(systems, 'spotting'), 'yellow d6', 'spotting'),
    ...weapons,
    ...dice(rockets, 'red d8', 'rocket'),
  ]
}

/** The kinds of which a frame could carry one more. */
export function roomFor(systems: readonly Kind[]): Kind[] {
  return systems.length >= MOST_SYSTEMS ? [] : KINDS.filter((kind) => count(systems, kind) < MOST_ALIKE)
}
