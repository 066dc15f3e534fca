import type { ErrorData } from '#core/error.ts'
import { isTerminal, type TerminalState } from '#core/execution-state.ts'
import type { Json, JsonObject } from '#core/json.ts'
import type { Wait } from '#core/request.ts'
import type { ExecutionHead } from './execution.ts'

/** An entry of the journal: an outcome, or the start of a child or a wait whose outcome follows. */
export interface JournalEntry {
  readonly seq: number
  readonly position: string
  readonly phase: 'started' | 'ended'
  /** The function of an effect, `timer`, `workflow`, `wait` (a wait was opened), `message`, `emit` or `answer`. */
  readonly kind: string
  readonly ok: boolean
  /** The outcome's value or error; of a `started` child its execution id, of a wait its topic. */
  readonly value: Json
  readonly decisions: string
  readonly startedAtMs: number
  readonly endedAtMs: number
}

/** The state in which an execution leaves the process that runs it: its end, or parked. A write with a progress is the last one of its run. */
export type Progress =
  | { readonly state: 'waiting'; readonly wakeAtMs: number | undefined }
  | { readonly state: 'pending' }
  /** `events`: lifecycle events to be published unless the execution has been resumed meanwhile. */
  | { readonly state: 'suspended'; readonly events?: readonly JsonObject[] | undefined }
  | {
      readonly state: TerminalState
      readonly output: Json | undefined
      readonly error: ErrorData | undefined
      readonly decisions: string
      readonly endedAtMs: number
      /** The parent, which is signalled if it is parked or runs in another process. */
      readonly parentId: string | undefined
    }

type TerminalProgress = Extract<Progress, { readonly state: TerminalState }>

export function isTerminalProgress(progress: Progress): progress is TerminalProgress {
  return isTerminal(progress.state)
}

/** One atomic write of an execution. */
export interface Write {
  readonly executionId: string
  readonly accountId: string
  readonly accept: { readonly head: ExecutionHead; readonly startedAtMs: number | undefined } | undefined
  readonly entries: readonly JournalEntry[]
  readonly children: readonly { readonly head: ExecutionHead; readonly startedAtMs: number | undefined }[]
  /** Children to be cancelled. */
  readonly cancels: readonly string[]
  readonly waits: WaitChanges | undefined
  /** Events to be published, complete. */
  readonly events: readonly JsonObject[]
  /** The reply to the caller. */
  readonly reply: { readonly body: Json } | undefined
  readonly progress: Progress | undefined
}

export interface WaitChanges {
  readonly opened: readonly Wait[]
  /** Positions of waits that have ended; events sent to them and not consumed are given back. */
  readonly closed: readonly string[]
  /** Ids of messages whose entries are in this write. */
  readonly consumed: readonly string[]
}

/** `refused`: an execution with this idempotency key exists already. */
export interface Written {
  readonly refused: boolean
}

/**
 * Writes durably: resolves after the commit. Rejects with an UnwritableError if nothing was written; after any other rejection it is not known
 * whether the write was committed.
 */
export interface Journal {
  write(write: Write): Promise<Written>
}

/** Raised for a write whose content cannot be stored: nothing of it was written, and the same write would fail again. */
export class UnwritableError extends Error {
  override readonly name = 'UnwritableError'
}

/** The title of the fault of an execution whose values cannot be written. */
export const NOT_STORABLE = 'Not storable'
