import type { Json, JsonObject } from '#src/json.ts'
import type { DefinitionFormat } from '#src/parse/parse-definition.ts'
import type { TaskKind } from '#src/shape/task-shapes.ts'
import type { Directive } from '#src/tasks/directives.ts'

/** A mark of a task that a drawing shows beside its name. */
export type Badge = 'if' | 'timeout' | 'input' | 'output' | 'export' | 'note' | 'disabled' | 'retry'

/**
 * A task of a document that may not validate.
 *
 * It says nothing of where it stands: an entry whose content did not change is the same object in the next outline, wherever it moved to.
 * `Outline.places` has its place.
 */
export interface OutlineEntry {
  /** The names of the tasks and lists around it, as a pointer without indexes; the second of a name gets `#2`. */
  readonly path: string
  readonly name: string
  readonly kind: TaskKind | 'unknown'
  /** The task without the lists of tasks in it. */
  readonly data: Json
  /** The lists of tasks in it. */
  readonly slots: readonly OutlineList[]
  /** `then`, the cases of a switch, and `then` of a catch. */
  readonly directives: readonly Directive[]
  readonly badges: readonly Badge[]
  /** The comment lines directly above it, without `#`. */
  readonly comment?: string
}

/** A list of tasks. */
export interface OutlineList {
  /** `/do`, or the path of its task and the keys below: `/do/guard/catch/do`. */
  readonly path: string
  /** The key of the list in its task: `do`, `try`, `catch/do`, `fork/branches`, `foreach/do`. */
  readonly slot: string
  /** Branches run side by side. */
  readonly branches: boolean
  readonly entries: readonly OutlineEntry[]
}

/** Where an entry stands. */
export interface OutlinePlace {
  /** The JSON Pointer of the task: `/do/0/fetch`. */
  readonly pointer: string
  /** The JSON Pointer of its list, and its index there; a function has none. */
  readonly list?: string
  readonly index?: number
  /** Offsets of the entry from its dash or key to the end of its value. */
  readonly start: number
  readonly end: number
  /** Offsets of its name. */
  readonly nameStart: number
  readonly nameEnd: number
}

/** A document as a drawing shows it. */
export interface Outline {
  /** `document`, as far as it can be read. */
  readonly document: JsonObject
  readonly main: OutlineList
  /** The functions of `use.functions`, each a task. */
  readonly functions: readonly OutlineEntry[]
  /** The lists of the extensions of `use.extensions`. */
  readonly extensions: readonly OutlineList[]
  /** By the path of the entry, in the order of the drawing. */
  readonly places: ReadonlyMap<string, OutlinePlace>
  /** Present when the syntax of the text has a mistake: its first offset. What the mistake affects is missing. */
  readonly brokenAt?: number
}

/** An outline with the text that it was made of, for the next one. */
export interface OutlineState {
  readonly text: string
  readonly syntax: DefinitionFormat
  readonly outline: Outline
}
