import type { ErrorData } from './error.ts'
import type { Json } from './json.ts'
import type { TaskNode } from './node.ts'
import type { Which } from './scope.ts'

/** Told of every task that a walk enters and leaves, pure ones included. Times are the logical clock's, milliseconds since the epoch. */
export interface Observer {
  skipped(position: string, node: TaskNode, atMs: number, which: Which): void
  started(position: string, node: TaskNode, atMs: number, input: Json, which: Which): void
  completed(position: string, node: TaskNode, atMs: number, output: Json): void
  faulted(position: string, node: TaskNode, atMs: number, error: ErrorData, which: Which): void
}
