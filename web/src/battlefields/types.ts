// What a battlefield is given, and what it may say.

import type { Battle, Event, Fault, Result, SystemInfo } from '../lib/types'

export interface BattlefieldProps {
  battle: Battle
  system: SystemInfo
  faults: Fault[]
  /** Replaces the battle. */
  change: (next: Battle) => void
  /** The place of what is picked, such as `units[0]`. */
  picked: string | null
  pick: (place: string | null) => void
  readonly: boolean
  /** Once it was played: what became of everything. */
  result: Result | null
  events: Event[]
}
