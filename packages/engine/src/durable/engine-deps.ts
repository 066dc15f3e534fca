import type { Lifecycle } from './announcer.ts'
import type { Processor } from './processor.ts'
import type { JournalLimits } from './journal-meter.ts'
import type { Boundary, Bus, Definitions, EffectFunction, Journal, Queue, Reporter, Secrets, Store } from './ports.ts'

export interface EngineDeps {
  readonly journal: Journal
  readonly store: Store
  readonly queue: Queue
  readonly bus: Bus
  /** Nobody hears of executions unless given. */
  readonly lifecycle?: Lifecycle
  /** Who shares the thread; it is the executions' own unless given. */
  readonly processor?: Processor
  readonly definitions: Definitions
  readonly secrets: Secrets
  readonly functions: ReadonlyMap<string, EffectFunction>
  readonly reporter: Reporter
  readonly now: () => number
  readonly newId: () => string
  readonly version: string
  /** What an execution is called outside: `$workflow.id`, and the beginning of its Idempotency-Keys. Its id, unless given. */
  readonly publicId?: (executionId: string) => string
  readonly boundary?: Boundary
}

export interface EngineOptions {
  /** Executions that this process runs at the same time; 0 for a process that only accepts. */
  readonly liveMax: number
  /** How often executions of processes that are gone are looked for; every second unless given. */
  readonly recoverMs?: number
  /** How much one execution may keep; as much as it likes unless given. */
  readonly journalLimits?: JournalLimits
}
