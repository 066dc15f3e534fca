import type { ErrorData } from '#core/error.ts'
import type { ExecutionState } from '#core/execution-state.ts'
import type { Json } from '#core/json.ts'
import type { Label } from '#core/label.ts'

/** The part of an execution that never changes after it was accepted. Times are milliseconds since the epoch. */
export interface ExecutionHead {
  readonly id: string
  readonly accountId: string
  readonly workflowId: string
  readonly versionId: string
  readonly trigger: string
  /** Who started it, as `kind:id`. */
  readonly actor: string
  readonly input: Json
  readonly parentId: string | undefined
  readonly depth: number
  /** The execution whose end started this one, or one that this one descends from. */
  readonly causedBy?: string | undefined
  readonly createdAtMs: number
  readonly idempotency: { readonly key: string; readonly digest: string } | undefined
  /** Of a retry: idempotency keys of effects of the retried execution whose outcome is not known, by position. */
  readonly keys?: Readonly<Record<string, string>> | undefined
  /** Of an execution that is being accepted. */
  readonly labels?: readonly Label[] | undefined
}

/** The state of an execution in the database at one moment. Times are milliseconds since the epoch. */
export interface ExecutionSnapshot {
  readonly id: string
  readonly state: ExecutionState
  /** Undefined before it is claimed for the first time. */
  readonly startedAtMs: number | undefined
  /** Undefined before a terminal state. */
  readonly endedAtMs: number | undefined
  readonly output: Json | undefined
  readonly error: ErrorData | undefined
  /** The reply to its caller before its end. */
  readonly reply: { readonly body: Json } | undefined
}
