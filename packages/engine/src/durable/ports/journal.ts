import type { ErrorData } from '#core/error.ts'
import { isTerminal, type TerminalState } from '#core/execution-state.ts'
import type { Json, JsonObject } from '#core/json.ts'
import type { Wait } from '#core/request.ts'
import type { ExecutionHead } from './execution.ts'

/** An outcome, or the beginning of something whose outcome comes later, as the journal keeps it. */
export interface JournalEntry {
  readonly seq: number
  readonly position: string
  readonly phase: 'started' | 'ended'
  /** The function of an effect, `timer`, `workflow`, `wait` (that one was opened), `message`, `emit` or `answer`. */
  readonly kind: string
  readonly ok: boolean
  /** The outcome's value or error; of a `started` child its execution id, of a wait its topic. */
  readonly value: Json
  readonly decisions: string
  readonly startedAtMs: number
  readonly endedAtMs: number
}

/** How an execution stands after a write. */
export type Progress =
  | { readonly state: 'waiting'; readonly wakeAtMs: number | undefined }
  | { readonly state: 'pending' }
  /** `told`: events that say so, which are true only where nobody has let it go meanwhile. */
  | { readonly state: 'suspended'; readonly told?: readonly JsonObject[] | undefined }
  | {
      readonly state: TerminalState
      readonly output: Json | undefined
      readonly error: ErrorData | undefined
      readonly decisions: string
      readonly endedAtMs: number
      /** The execution to be told, when it runs in another process or waits. */
      readonly tell: string | undefined
    }

type TerminalProgress = Extract<Progress, { readonly state: TerminalState }>

export function isTerminalProgress(progress: Progress): progress is TerminalProgress {
  return isTerminal(progress.state)
}

/** Everything that one execution has to write at one time; goes to the database whole or not at all. */
export interface Write {
  readonly executionId: string
  readonly accountId: string
  readonly accept: { readonly head: ExecutionHead; readonly startedAtMs: number | undefined } | undefined
  readonly entries: readonly JournalEntry[]
  readonly children: readonly { readonly head: ExecutionHead; readonly startedAtMs: number | undefined }[]
  /** Executions that nobody waits for any more. */
  readonly cancels: readonly string[]
  readonly waits: WaitChanges | undefined
  /** Events to be published, complete. */
  readonly events: readonly JsonObject[]
  /** For whoever waits for the execution. */
  readonly reply: { readonly body: Json } | undefined
  readonly progress: Progress | undefined
}

export interface WaitChanges {
  readonly opened: readonly Wait[]
  /** Positions of waits that have ended; what came to them and was not taken is given back. */
  readonly closed: readonly string[]
  /** Messages that are in the journal now. */
  readonly taken: readonly string[]
}

/** `refused`: an execution with this idempotency key exists already. */
export interface Written {
  readonly refused: boolean
}

/**
 * Writes durably: resolves when what was given is committed. Rejects when it is not known to be, and with an UnwritableError when provably
 * nothing of it is.
 */
export interface Journal {
  write(write: Write): Promise<Written>
}

/** Raised for a write whose content the journal cannot hold: nothing of it was written, and the same write would fail again. */
export class UnwritableError extends Error {
  override readonly name = 'UnwritableError'
}

/** The title of the fault of an execution whose values cannot be written. */
export const NOT_STORABLE = 'Not storable'
