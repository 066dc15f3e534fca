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
  isForced: boolean
  /** A turn is under way: its loop handles inputs that are posted meanwhile. */
  isTurning: boolean
  isBegun: boolean
  /** Ends of children from before the claim are still to be read. */
  isBehind: boolean
  waitsForTurn: boolean
  isResuming: boolean
  isProceeding: boolean
  readonly commands: Command[]
  moves: Move[]
  gated: Gated[]
  /** The write under way. */
  writing: Write | undefined
  /** The version of the outbox that is committed. */
  committed: number
  computing: AbortController | undefined
  /** Ends the execution; nothing in its definition can catch it. */
  fatal: ErrorData | undefined
  hasBug: boolean
  reply: { readonly body: Json } | undefined
}
