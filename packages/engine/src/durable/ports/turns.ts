import type { ExecutionHead } from './execution.ts'

export interface TurnRequest {
  readonly head: Pick<ExecutionHead, 'id' | 'accountId' | 'workflowId' | 'parentId'>
  /** How many executions of the workflow may run at once. */
  readonly max: number
  /** Whether tasks of it have run: it keeps the time of its start while it waits. */
  readonly hasBegun: boolean
}

/** Turns of the executions of workflows that limit how many of them run at once. */
export interface Turns {
  /**
   * Takes a turn for an execution that this process has claimed. An execution that has one keeps it until it ends or is
   * suspended, also while it is parked.
   * @returns false if it must wait: it is pending then, not claimed any more, and is put on the queue when its turn comes.
   */
  take(request: TurnRequest): Promise<boolean>
  /** Ends the turn of an execution that has ended, for the next one that waits. */
  end(head: Pick<ExecutionHead, 'id' | 'workflowId'>): Promise<void>
  /** Passes on the turns of executions whose end no process noted, since it died or ended them without running them. */
  passAbandoned(): Promise<void>
}
