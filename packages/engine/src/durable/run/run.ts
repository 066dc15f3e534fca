import type { Json } from '#core/json.ts'
import type { Machine } from '#core/machine.ts'
import type { ComputeStall, Outcome } from '#core/request.ts'
import type { Announcer } from '#durable/lifecycle-events.ts'
import type { Boundary } from '#durable/ports/boundary.ts'
import type { Message } from '#durable/ports/bus.ts'
import type { ExecutionHead, ExecutionSnapshot } from '#durable/ports/execution.ts'
import type { Journal } from '#durable/ports/journal.ts'
import type { ComputationEnd, Processor } from '#durable/ports/processor.ts'
import type { Reporter } from '#durable/ports/reporter.ts'
import type { JournalMeter } from './journal-meter.ts'
import type { Performer } from './performer.ts'
import type { RunEnd } from './run-end.ts'

export interface RunDeps {
  readonly journal: Journal
  readonly performer: Performer
  readonly processor: Processor
  readonly reporter: Reporter
  readonly now: () => number
  readonly boundary: Boundary
  /** An execution that waits less than this stays in memory. */
  readonly parkAfterMs: number
}

/** One execution while this process runs it: drives its machine, performs its effects, writes its journal. */
export interface Run {
  readonly head: ExecutionHead
  /** Resolves when the execution is durably accepted; false when an earlier one has its idempotency key. Rejects when the run is lost before. */
  readonly accepted: Promise<boolean>
  /** How it left this process: ended, parked, refused or lost. */
  readonly end: Promise<RunEnd>
  /** The end, once there is one. */
  readonly ended: RunEnd | undefined
  /** The state of the execution after the last commit of this run. Another process may have changed it since. */
  snapshot(): ExecutionSnapshot
  /** Whether it takes inputs: it has not ended, and is not about to leave this process. True again when its end could not be stored. */
  readonly isRunning: boolean
  /** Resolves when the first entry of this run is committed; it may never resolve. */
  readonly firstEntryCommitted: Promise<void>
  /** Resolves when the reply to the caller is committed; never for an execution that does not reply before its end. */
  readonly replied: Promise<Json>
  cancel(): void
  /** Begins no more requests, and suspends the execution once the effects under way have ended. */
  suspend(): void
  /** Accepts messages to its waits; some may have been received before. */
  receive(messages: readonly Message[]): void
  /** Whether it has open waits. */
  hasWaits(): boolean
  childEnded(childId: string, outcome: Outcome): void
  /** Notes that the run has received all ends of children from before its claim: it may be parked. */
  markCaughtUp(): void
  /** Children whose end it waits for, or may wait for later. */
  children(): readonly string[]
  /** Begins no more requests and hands the execution over. With `force` it aborts the effects under way, which the next run repeats. */
  release(force: boolean): void
  /** Removes the run from memory without a write: another process owns the execution. */
  drop(cause: unknown): void
}

export interface RunStart {
  readonly head: ExecutionHead
  readonly machine: Machine
  readonly nextSeq: number
  /** Children that an earlier run started and whose end is not in the journal, by position. */
  readonly children: ReadonlyMap<string, string>
  /** Waits that earlier runs opened: those that are open, and those to be closed now. */
  readonly waits: { readonly open: ReadonlySet<string>; readonly closing: readonly string[] }
  readonly messages: readonly Message[]
  /** Emits lifecycle events, for accounts that have subscribed to them. */
  readonly announcer?: Announcer | undefined
  /** Bounds the journal; unbounded by default. */
  readonly meter?: JournalMeter | undefined
  /** Computations that ran out of time or memory during the replay. */
  readonly ranOut?: readonly (readonly [ComputeStall, ComputationEnd])[]
  /** False for an execution that is in the database already. */
  readonly isNew: boolean
  /**
   * Whether ends of children from before the claim are still to be read. The claim has cleared their signal, so a run that is parked
   * without them would never learn of them: it is not parked before `markCaughtUp`.
   */
  readonly isBehind?: boolean
  readonly cancelRequested: boolean
  readonly suspendRequested: boolean
}
