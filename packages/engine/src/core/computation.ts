import type { ErrorData } from './error.ts'
import type { Json } from './json.ts'

/** An evaluation as data, for another thread. */
export type Computation = ExpressionComputation | SchemaComputation

export interface ExpressionComputation {
  readonly kind: 'expression' | 'template'
  /** The text of an expression, or a template as JSON. */
  readonly source: string
  /** Names of the variables that tasks around it bind. */
  readonly locals: readonly string[]
  readonly variables: readonly (readonly [name: string, value: Json])[]
  readonly dot: Json
  /** The logical clock of the execution. */
  readonly nowMs: number
  /** Whether the value of an expression is a list of its first output, which is empty without one: otherwise no output is null. */
  readonly inList?: boolean
}

export interface SchemaComputation {
  readonly kind: 'schema'
  /** The JSON Schema, as JSON. */
  readonly source: string
  readonly value: Json
}

/** The outcome of a computation, and its steps. */
export type ComputationOutcome =
  | { readonly ok: true; readonly value: Json; readonly steps: number }
  | { readonly ok: false; readonly error: ErrorData; readonly steps: number }
