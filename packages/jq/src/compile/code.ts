import type { Ir } from '#src/lower/ir.ts'
import type { Owned } from '#src/paths/update.ts'
import type { Value } from '#src/values/value.ts'
import type { Machine } from './machine.ts'

/** A node with at most one output; `undefined` is none. */
export type One = (input: Value, env: Env) => Value | undefined
/** Takes an output; `true` asks for no more. */
export type Emit = (value: Value) => boolean
/** A node with any number of outputs; `true` when the consumer asked to stop. */
export type Many = (input: Value, env: Env, emit: Emit) => boolean

/**
 * A node with at most one output whose caller gives its input away: what is in `owned` is held by nobody else and may be changed in
 * place. After an error, or when there is no output, the input is not to be used any more.
 */
export type Taking = (input: Value, env: Env, owned: Owned) => Value | undefined

/** The way from the root to a value, newest key first; `undefined` is the root. */
export interface Path {
  readonly up: Path | undefined
  readonly key: Value
  readonly length: number
}

/**
 * The path of a value that no path leads to any more, as after `map(…)`. It remembers the last value that had one: jq forgives
 * when that very value comes back.
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

/** A piece of code in the forms that callers ask for; each is compiled when it is first needed. */
export interface Code {
  readonly one: One | undefined
  readonly many: Many
  readonly paths: Paths
}

/** An argument handed over unevaluated. */
export interface Closure {
  readonly code: Code
  readonly env: Env
}

/** Identifies one entry of one `label`; `break` throws it. */
export interface Break {
  readonly label: 'break'
}

/** The bindings in sight, newest first. */
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

/** The parts of the compiler that need the others go through this. */
export interface Compiler {
  readonly machine: Machine
  /** For a node that has at most one output. */
  one(ir: Ir): One
  many(ir: Ir): Many
  paths(ir: Ir): Paths
  /** For a node that has at most one output and may use its input up. */
  taking(ir: Ir): Taking
  /** All forms, made on demand. */
  code(ir: Ir): Code
}
