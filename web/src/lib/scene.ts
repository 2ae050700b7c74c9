// What the map shows: a set-up, or a position of a play.

import type { Battle, Json, PlayEvent, Question, State } from './types'

/** Who fires on whom at this moment: in a counterattack the other way round. */
export interface Shot {
  by: string
  on: string
}

export interface Scene {
  battle: Battle
  /** Null while the battle is set up: then everything is as the file says. */
  state: State | null
  shot: Shot | null
  /** The step of the play that is shown, if it is not the present one. */
  step: number | null
  /** How many steps the play has. */
  steps: number
}

interface Playing {
  battle: Battle
  events: readonly PlayEvent[]
  question: Question | null
  state: State
}

/** The present moment of a play, or the one after a step of it. */
export function sceneOf(play: Playing, step: number | null): Scene {
  const shown = step === null ? undefined : play.events[step]
  if (step === null || !shown)
    return {
      battle: play.battle,
      state: play.state,
      shot: shotAt(play.state, play.events, play.question),
      step: null,
      steps: play.events.length,
    }
  return {
    battle: play.battle,
    state: shown.state,
    shot: shotAt(shown.state, play.events.slice(0, step + 1), null),
    step,
    steps: play.events.length,
  }
}

/** The attack as the state has it, or else who last rolled against whom. */
function shotAt(state: State, events: readonly PlayEvent[], question: Question | null): Shot | null {
  const declared = state.attack as { [key: string]: Json } | null | undefined
  if (declared && typeof declared.by === 'string' && typeof declared.on === 'string')
    return { by: declared.by, on: declared.on }
  const rolls = [...events, ...(question ? [question] : [])].filter((one) => one.kind === 'roll')
  for (const roll of rolls.toReversed()) {
    const [first] = roll.dice
    const against = roll.dice.find((pool) => pool.side !== first?.side)
    if (first && against) return { by: first.by, on: against.by }
  }
  return null
}
