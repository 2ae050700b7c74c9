// The systems and their examples as the engine has them: `web/fixtures.py` writes the files.

import type { Battle, PlayEvent, PlayResponse, State, SystemInfo } from '../lib/types'
import assault from './fixtures/assault.json'
import frames from './fixtures/frames.json'
import ranks from './fixtures/ranks.json'
import supply from './fixtures/supply.json'
import tower from './fixtures/tower.json'

/** An example that was played by the engine. */
export interface Played {
  name: string
  battle: Battle
  response: PlayResponse
}

interface Fixture {
  system: SystemInfo
  plays: Played[]
}

const FIXTURES = { assault, frames, ranks, supply, tower } as unknown as Record<string, Fixture>

export const NAMES = Object.keys(FIXTURES)

export function systemOf(name: string): SystemInfo {
  return fixtureOf(name).system
}

/** Every example of a system by its name, such as `guns on rifles`. */
export function battlesOf(name: string): Record<string, Battle> {
  return Object.fromEntries(
    fixtureOf(name).plays.map((play) => [play.name.replace(/^\d+-/, '').replaceAll('-', ' '), play.battle]),
  )
}

/** Every example of a system with its play; states that repeat are left out of the file. */
export function playsOf(name: string): Played[] {
  return fixtureOf(name).plays.map((play) => {
    let state: State = {}
    const events = play.response.events.map((event): PlayEvent => ({
      ...event,
      state: (state = (event.state as State | undefined) ?? state),
    }))
    return { ...play, response: { ...play.response, events } }
  })
}

function fixtureOf(name: string): Fixture {
  const fixture = FIXTURES[name]
  if (!fixture) throw new Error(`there is no fixture of ${name}`)
  return fixture
}
