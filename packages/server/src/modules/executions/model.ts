import type { ErrorData, ExecutionState } from '@millrace/engine'

export const triggerKinds = ['manual', 'schedule', 'webhook', 'event', 'workflow'] as const
export type TriggerKind = (typeof triggerKinds)[number]

/** What a list tells of an execution. */
export interface ExecutionHead {
  readonly id: string
  readonly workflowId: string
  /** Number of the published version that it runs. */
  readonly version: number
  readonly state: ExecutionState
  readonly trigger: TriggerKind
  readonly createdAt: Date
  readonly startedAt: Date | undefined
  readonly endedAt: Date | undefined
  readonly error: ErrorData | undefined
}

/** An execution with its input and output, which stay JSON text: most are only passed on. */
export interface Execution extends ExecutionHead {
  readonly versionId: string
  readonly input: string
  readonly output: string | undefined
  /** What it answered to whoever waits; a JSON text too. */
  readonly answer: string | undefined
  readonly retryOf: string | undefined
  readonly retriedBy: string | undefined
}
