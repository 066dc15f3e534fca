import type { ErrorData } from '#core/error.ts'
import type { Json } from '#core/json.ts'
import type { PendingRequest } from '#core/machine.ts'
import type { Write } from '#durable/ports/journal.ts'
import type { RunFacts } from './decide.ts'
import type { Command, Move } from './run-input.ts'

/** A request that waits until everything before it is committed: its gate is the version of the outbox. */
interface Gated {
  readonly pending: PendingRequest
  readonly gate: number
}

/** The mutable state of a run, apart from its machine, its activities and its outbox. */
export interface RunState {
  phase: RunFacts['phase']
  shutdown: RunFacts['shutdown']
  /** The release does not wait for outcomes that have arrived but are not recorded. */
  isForced: boolean
  /** `drain` is under way: its loop handles inputs that are posted meanwhile. */
  isDraining: boolean
  /** The first requests of the machine were handled. Before that, a new machine may stall or pause without having any. */
  isBegun: boolean
  /** Ends of children from before the claim are still to be read. */
  isBehind: boolean
  /** The time for walks in this iteration of the event loop is used up; the moves wait for an input `turn`. */
  waitsForTurn: boolean
  /** The stalled machine will be resumed, by an input `resume` or after its computation. */
  isResuming: boolean
  /** The paused machine will proceed, by an input `proceed`. */
  isProceeding: boolean
  readonly commands: Command[]
  moves: Move[]
  gated: Gated[]
  /** The write under way. */
  writing: Write | undefined
  /** The version of the outbox that is committed. */
  committed: number
  /** Ends the computation in another thread for which the machine is stalled. */
  computing: AbortController | undefined
  /** Ends the execution; nothing in its definition can catch it. */
  fatal: ErrorData | undefined
  /** An action has thrown once, and the execution faults. Another time makes the run lost. */
  hasBug: boolean
  /** A write could not be stored, and the execution faults for this reason. */
  isUnwritable: boolean
  /** The first reply that was committed. */
  reply: { readonly body: Json } | undefined
}
