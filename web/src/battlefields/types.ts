// What a battlefield is given.

import type { Shot } from '../lib/scene'
import type { Looks } from '../lib/sides'
import type { TurnView } from '../lib/turns'
import type { StartState } from '../lib/solver.svelte'
import type { Battle, Fault, State, SystemInfo } from '../lib/types'

export interface BattlefieldProps {
  battle: Battle
  system: SystemInfo
  /** The colour and the shape of every side. */
  looks: Looks
  faults: readonly Fault[]
  /** Replaces the battle. */
  change: (next: Battle) => void
  /** The place of what is picked, such as `units[0]`. */
  picked: string | null
  pick: (place: string | null) => void
  readonly: boolean
  /** The moment of a play that is shown, as the engine describes it; null while the battle is set up. */
  moment: State | null
  /** Who fires on whom at that moment. */
  shot: Shot | null
  /** A whole turn in which the next attack can be chosen: who can attack whom, and the plan. */
  turn?: TurnView | null
  /** The last legal set-up, and what the engine says of it: that may lag behind while people move something. */
  start?: StartState | null
  /** Requests the odds of a set-up while something is being dragged, before the battle changes. */
  preview?: (next: Battle) => void
}
