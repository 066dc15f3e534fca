import type { Json, JsonObject } from '#core/json.ts'
import type { Evaluated } from './evaluated.ts'
import type { Run } from './run.ts'
import type { Resource } from './scope.ts'

/**
 * Whether a value fits. `seen` collects what was evaluated of it; with `at`, the place of the value as a JSON Pointer, every fault is reported, and
 * without it the first one decides.
 */
export type Rule<V extends Json = Json> = (value: V, run: Run, seen: Evaluated | undefined, at: string | undefined) => boolean

/** The rules of a schema, by the type of the value that they speak of. */
export interface Rules {
  readonly any: Rule[]
  readonly number: Rule<number>[]
  readonly string: Rule<string>[]
  readonly array: Rule<readonly Json[]>[]
  readonly object: Rule<JsonObject>[]
  /** Rules of arrays and objects that ask what the others have evaluated. */
  readonly unevaluated: Rule[]
}

/** One schema of a document. */
export interface Node {
  readonly schema: JsonObject | boolean
  readonly visit: Rule
  /** A schema within a keyword. */
  child(schema: Json, ...names: readonly (string | number)[]): Node
  /** Where a reference leads to. */
  follow(to: string): Node
  /** A schema of another resource of the document. */
  across(resource: Resource, schema: Json): Node
  /** The value of a keyword. */
  member(keyword: string): Json | undefined
  placeOf(...names: readonly (string | number)[]): string
  /** Ends the validation: the value of a keyword is not what it must be. */
  refuse(keyword: string, must: string): never
}

/** Compiles the value of a keyword into the rules of its schema. */
export type Keyword = (given: Json, node: Node, rules: Rules) => void
