import type { ErrorData } from './error.ts'
import type { Json } from './json.ts'
import type { TaskNode } from './node.ts'
import type { Scope, TaskRun } from './scope.ts'

/** A condition of a task: its `if`, the `while` of its loop, or the case of its switch with this index among those that have a condition. */
export type ExaminedCondition = { readonly of: 'if' | 'while' } | { readonly of: 'switch'; readonly index: number }

/** Callbacks for every task that a walk enters and leaves, pure ones included. Times are of the logical clock, in milliseconds since the epoch. */
export interface Observer {
  /** Before anything of a task is evaluated. The walk completes the scope while the task runs. */
  entered?(reference: string, scope: Scope): void
  /** Before a condition of the flow is evaluated, for what it is evaluated on. */
  examines?(position: string, condition: ExaminedCondition, dot: Json, scope: Scope): void
  skipped(position: string, node: TaskNode, atMs: number, which: TaskRun): void
  started(position: string, node: TaskNode, atMs: number, input: Json, which: TaskRun): void
  completed(position: string, node: TaskNode, atMs: number, output: Json): void
  faulted(position: string, node: TaskNode, atMs: number, error: ErrorData, which: TaskRun): void
}
