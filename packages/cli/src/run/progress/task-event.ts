import type { ErrorData, Json, JsonObject } from '@millrace/engine'

/** One event of a task, with the position of the task in the run. */
export interface TaskEvent {
  /** `cancelled`: the task around it ended first, for example because another branch won or a timeout passed. */
  readonly event: 'started' | 'completed' | 'faulted' | 'skipped' | 'cancelled'
  /** Unique within the run, with iterations, visits and attempts. */
  readonly position: string
  /** JSON Pointer of the task in the definition. */
  readonly reference: string
  readonly name: string
  readonly kind: string
  /** A short description of the task. */
  readonly what: string
  /** The number of tasks around it. */
  readonly depth: number
  /** The branches around it, outermost first. */
  readonly branches: readonly string[]
  /** Index in the loop directly around it, from 0. */
  readonly iteration?: number
  /** Attempt of the `try` directly around it, when it is not the first. */
  readonly attempt?: number
  /** How often the flow has reached it, from 2. */
  readonly visit?: number
  readonly durationMs?: number
  readonly input?: Json
  readonly output?: Json
  readonly error?: ErrorData
}

/** An exchange between a run and the outside. */
export type RunNote =
  | { readonly event: 'wait.opened'; readonly position: string; readonly name: string; readonly topic: string; readonly what: string }
  | { readonly event: 'event.emitted'; readonly value: JsonObject }
  /** A line of standard input that is not an event. */
  | { readonly event: 'event.refused'; readonly line: number; readonly why: string }
  | { readonly event: 'answer.refused'; readonly position: string; readonly name: string; readonly why: string }
  /** The reply of the workflow to its caller. */
  | { readonly event: 'run.answered'; readonly body: Json }

/** Shows a run while it is in progress. */
export interface Progress {
  task(event: TaskEvent): void
  note(note: RunNote): void
  /** Buffers output while a prompt uses the screen; the returned function prints it and resumes. */
  pause(): () => void
  /** Removes the status line from the screen. */
  close(): void
}
