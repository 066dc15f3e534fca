import type { Ir } from '#src/lower/ir.ts'
import type { Owned } from '#src/paths/update.ts'
import type { Value } from '#src/values/value.ts'
import type { Machine } from './machine.ts'

/** A node with at most one output; `undefined` when it has none. */
export type One = (input: Value, env: Env) => Value | undefined
/** Receives an output; `true` stops the node. */
export type Emit = (value: Value) => boolean
/** A node with any number of outputs; `true` when the consumer asked to stop. */
export type Many = (input: Value, env: Env, emit: Emit) => boolean

/**
 * A node with at most one output that may change its input: nothing but the input refers to the containers in `owned`. After an error, or
 * when there is no output, the caller must not use the input again.
 */
export type InPlace = (input: Value, env: Env, owned: Owned) => Value | undefined

/** The path from the root to a value, last key first; `undefined` is the root. */
export interface Path {
  readonly up: Path | undefined
  readonly key: Value
  readonly length: number
}

/**
 * The track of a value that has no path, as after `map(…)`. It keeps the last value that had one: jq accepts a later path expression on that
 * same value.
 */
export interface LostPath {
  readonly lost: true
  readonly path: Path | undefined
  readonly value: Value
}

export type Track = Path | LostPath | undefined

export type EmitAt = (track: Track, value: Value) => boolean
/** A node as a path expression: outputs with the paths that lead to them. */
export type Paths = (track: Track, input: Value, env: Env, emit: EmitAt) => boolean

/** The forms of a node; each is compiled at its first use. */
export interface Code {
  readonly one: One | undefined
  readonly many: Many
  readonly paths: Paths
}

/** An unevaluated argument of a call. */
export interface Closure {
  readonly code: Code
  readonly env: Env
}

/** Identifies one entry of one `label`; `break` throws it. */
export interface Break {
  readonly label: 'break'
}

/** The bindings in scope, newest first. */
export interface Env {
  readonly slot: Value | Closure | Break
  readonly up: Env | undefined
}

export const rootEnv: Env = { slot: null, up: undefined }

export function ancestor(env: Env, up: number): Env {
  let at = env
  for (let left = up; left > 0; left--) {
    const next = at.up
    if (next === undefined) throw new Error('The environment is shorter than the resolver said')
    at = next
  }
  return at
}

/** Compiles nodes into the forms; the compilers of the forms call each other through it. */
export interface Compiler {
  readonly machine: Machine
  /** For a node with at most one output. */
  one(ir: Ir): One
  many(ir: Ir): Many
  paths(ir: Ir): Paths
  /** For a node with at most one output; see `compile-in-place.ts`. */
  inPlace(ir: Ir): InPlace
  /** All forms, compiled on demand. */
  code(ir: Ir): Code
}
