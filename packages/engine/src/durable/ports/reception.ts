import type { Json } from '#core/json.ts'
import type { Label } from '#core/label.ts'
import type { Outcome } from '#core/request.ts'

/** The execution that gets a value. */
export interface Receiver {
  readonly accountId: string
  readonly executionId: string
  readonly workflowId: string
}

/** Examines what executions get without a function, before it is journalled. */
export interface Reception {
  /**
   * The outcome as the execution gets it. A rejection removes the run from memory, and the execution is recovered from its journal.
   * @param source the topic of the wait, or `workflow` for the outcome of a child.
   */
  receive(receiver: Receiver, source: string, outcome: Outcome): Promise<Outcome>
  /** The input as a child gets it. Raises WorkflowError for an input that the child refuses. */
  passInput(parent: Receiver, child: Receiver, input: Json): Promise<Json>
  /** The labels that a new execution may keep. */
  passLabels(receiver: Receiver, labels: readonly Label[]): Promise<readonly Label[]>
}
