import type { ErrorData } from '#core/error.ts'
import type { ExecutionState } from '#core/execution-state.ts'
import type { Json } from '#core/json.ts'

/** What an execution is, from the moment it is accepted. Times are milliseconds since the epoch. */
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
  readonly createdAtMs: number
  readonly idempotency: { readonly key: string; readonly digest: string } | undefined
  /** Keys of effects, by position, that the execution which this one goes on from has asked for without knowing what came of them. */
  readonly keys?: Readonly<Record<string, string>> | undefined
}

export interface ChildOutcome {
  readonly id: string
  readonly state: ExecutionState
  readonly output: Json | undefined
  readonly error: ErrorData | undefined
  /** What it answered to whoever waits, before its end or at it. */
  readonly answer: { readonly body: Json } | undefined
}
