import type { Json, JsonObject } from '#core/json.ts'

export interface EffectCall {
  readonly accountId: string
  readonly executionId: string
  /** Undefined where no workflow is stored, as in a local run. */
  readonly workflowId?: string
  /** What started the execution; undefined where no execution is stored. */
  readonly trigger?: string
  /** How many executions caused this one, one after the other; none unless given. */
  readonly depth?: number
  readonly arguments: Json
  readonly input: Json
  readonly secrets: JsonObject
  /** The same in all repetitions of one attempt after a crash, so that a receiver can recognise a repetition. */
  readonly idempotencyKey: string
  readonly signal: AbortSignal
  /** Of the task in its execution. */
  readonly position?: string
  /** Takes what the attempt writes beside its outcome; where it is undefined, no part keeps it. */
  readonly log?: (text: string) => void
}

/** Performs an effect. Raises WorkflowError for what the workflow may catch. */
export type EffectFunction = (call: EffectCall) => Promise<Json>

/** The execution that reads secrets. */
export interface SecretReader {
  readonly workflowId: string
  readonly trigger: string
}

export interface Secrets {
  /** The values of names for an execution; unknown names are omitted. */
  read(accountId: string, names: readonly string[], reader: SecretReader): Promise<JsonObject>
}
