import type { FunctionManifest } from '#compile/manifest.ts'
import type { ErrorData } from '#core/error.ts'
import type { Json, JsonObject } from '#core/json.ts'
import type { EffectFunction } from '#durable/ports/effects.ts'

/** What a scenario has given before the workflow is executed. */
export interface Setup {
  definition: string
  input: Json
  secrets: Record<string, Json>
  /** Definitions of workflows that it may run. */
  others: string[]
  /** The default catalog. */
  functions: FunctionManifest[]
  /** What was fetched when the definition was published, by URI. */
  resources: Record<string, Json>
  /** Events that are there when it begins. */
  events: JsonObject[]
}

/** What one task did; times are from the start. */
export interface Traced {
  readonly what: 'started' | 'completed' | 'faulted' | 'skipped'
  readonly name: string
  readonly afterMs: number
}

/** How an execution stands: at its end, or where nothing goes on without something from outside. */
export interface Outcome {
  readonly state: 'completed' | 'faulted' | 'cancelled' | 'waiting'
  readonly output: Json | undefined
  readonly error: ErrorData | undefined
  /** What it answered to whoever waits. */
  readonly answer: Json | undefined
  readonly events: readonly JsonObject[]
  readonly tookMs: number
  /** Undefined where only the journal is kept. */
  readonly trace: readonly Traced[] | undefined
}

/** An execution that is under way. */
export interface Running {
  publish(event: JsonObject): Promise<void>
  /** Answers what it waits for under a topic. @returns false when it waits for nothing of the kind. */
  answer(topic: string, value: Json): Promise<boolean>
  cancel(): Promise<void>
  pass(ms: number): Promise<void>
  /** Lets it go on until it ends or waits for something from outside. */
  finish(): Promise<Outcome>
}

/** What the execution may call, and how many of the calls under way are not going to end by themselves. */
export interface Outside {
  readonly functions: Readonly<Record<string, EffectFunction>>
  readonly hanging: () => number
}

export type Begin = (setup: Setup, outside: Outside) => Promise<Running>
