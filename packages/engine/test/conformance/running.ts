import type { FunctionManifest } from '#compile/manifest.ts'
import type { ErrorData } from '#core/error.ts'
import type { Json, JsonObject } from '#core/json.ts'
import type { EffectFunction } from '#durable/ports/effects.ts'

/** The preconditions of a scenario, before the workflow is executed. */
export interface Setup {
  definition: string
  input: Json
  secrets: Record<string, Json>
  /** Definitions of child workflows. */
  others: string[]
  /** The default catalog. */
  functions: FunctionManifest[]
  /** Pinned resources by URI. */
  resources: Record<string, Json>
  /** Events that were published before the start. */
  events: JsonObject[]
}

/** One event of a task; times are relative to the start. */
export interface Traced {
  readonly what: 'started' | 'completed' | 'faulted' | 'skipped'
  readonly name: string
  readonly afterMs: number
}

/** The result of an execution at its end, or its state while it waits for an outside event. */
export interface Outcome {
  readonly state: 'completed' | 'faulted' | 'cancelled' | 'waiting'
  readonly output: Json | undefined
  readonly error: ErrorData | undefined
  /** The body of its reply. */
  readonly answer: Json | undefined
  readonly events: readonly JsonObject[]
  readonly tookMs: number
  /** Undefined on PostgreSQL, which stores the journal only. */
  readonly trace: readonly Traced[] | undefined
}

/** A running execution. */
export interface Running {
  publish(event: JsonObject): Promise<void>
  /** Ends its wait for a topic with a value. @returns false if it has no such wait */
  answer(topic: string, value: Json): Promise<boolean>
  cancel(): Promise<void>
  pass(ms: number): Promise<void>
  /** Continues it until it ends or waits for an outside event. */
  finish(): Promise<Outcome>
}

/** The functions that the execution may call, and the number of running calls that do not end by themselves. */
export interface Outside {
  readonly functions: Readonly<Record<string, EffectFunction>>
  readonly hanging: () => number
}

export type Begin = (setup: Setup, outside: Outside) => Promise<Running>
