import type { Lifecycle } from '#durable/lifecycle-events.ts'
import type { Processor } from '#durable/ports/processor.ts'
import type { JournalLimits } from '#durable/run/journal-meter.ts'
import type { Boundary } from '#durable/ports/boundary.ts'
import type { Bus } from '#durable/ports/bus.ts'
import type { Definitions } from '#durable/ports/definitions.ts'
import type { EffectFunction, Secrets } from '#durable/ports/effects.ts'
import type { Journal } from '#durable/ports/journal.ts'
import type { Queue } from '#durable/ports/queue.ts'
import type { Reception } from '#durable/ports/reception.ts'
import type { Reporter } from '#durable/ports/reporter.ts'
import type { Store } from '#durable/ports/store.ts'
import type { Turns } from '#durable/ports/turns.ts'

export interface EngineDeps {
  readonly journal: Journal
  readonly store: Store
  readonly queue: Queue
  readonly bus: Bus
  readonly turns: Turns
  /** Enables lifecycle events. */
  readonly lifecycle?: Lifecycle
  /** Shares the thread among executions; by default each walk runs without interruption. */
  readonly processor?: Processor
  readonly definitions: Definitions
  readonly secrets: Secrets
  readonly functions: Pick<ReadonlyMap<string, EffectFunction>, 'get'>
  readonly reception?: Reception | undefined
  readonly reporter: Reporter
  readonly now: () => number
  readonly newId: () => string
  readonly version: string
  /** The public id of an execution: `$workflow.id`, and the beginning of its Idempotency-Keys. The internal id by default. */
  readonly publicId?: (executionId: string) => string
  readonly boundary?: Boundary
}

export interface EngineOptions {
  /** Executions that this process runs at the same time; 0 for a process that only accepts. */
  readonly liveMax: number
  /** How often executions of dead processes are recovered; every second by default. */
  readonly recoverMs?: number
  /** How long a worker without work waits before it looks at the queue again, if nothing wakes it; half a second by default. */
  readonly idleMs?: number
  /** Bounds of the journal of one execution; unbounded by default. */
  readonly journalLimits?: JournalLimits
}
