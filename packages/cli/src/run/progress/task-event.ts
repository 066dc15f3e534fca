import type { ErrorData, Json, JsonObject } from '@millrace/engine'

/** One thing that a task did, with its place among the others. */
export interface TaskEvent {
  /** `cancelled`: the task around it ended first, as when another branch won or the time was up. */
  readonly event: 'started' | 'completed' | 'faulted' | 'skipped' | 'cancelled'
  /** Unique within the run; tells iterations, visits and attempts apart. */
  readonly position: string
  /** JSON Pointer of the task in the definition. */
  readonly reference: string
  readonly name: string
  readonly kind: string
  /** What it does, in a few words. */
  readonly what: string
  /** Tasks around it. */
  readonly depth: number
  /** The branches around it, outermost first. */
  readonly branches: readonly string[]
  /** Index in the loop directly around it, from 0. */
  readonly iteration?: number
  /** Attempt of the `try` directly around it, when it is not the first. */
  readonly attempt?: number
  /** How often the flow has come to it, when that is not the first time. */
  readonly visit?: number
  readonly durationMs?: number
  readonly input?: Json
  readonly output?: Json
  readonly error?: ErrorData
}

/** Something that passes between a run and the outside. */
export type RunNote =
  | { readonly event: 'wait.opened'; readonly position: string; readonly name: string; readonly topic: string; readonly what: string }
  | { readonly event: 'event.emitted'; readonly value: JsonObject }
  /** A line of standard input that is no event. */
  | { readonly event: 'event.refused'; readonly line: number; readonly why: string }
  | { readonly event: 'answer.refused'; readonly position: string; readonly name: string; readonly why: string }
  /** What is answered to whoever waits for the run. */
  | { readonly event: 'run.answered'; readonly body: Json }

/** Shows a run while it goes on. */
export interface Progress {
  task(event: TaskEvent): void
  note(note: RunNote): void
  /** Leaves the screen to a question until the returned function is called; what there is to show meanwhile is shown then. */
  hold(): () => void
  /** Takes what is only there for the moment off the screen. */
  close(): void
}
