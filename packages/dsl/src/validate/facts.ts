import type { DiagnosticCode } from '#src/diagnostics/codes.ts'
import type { Path } from '#src/parse/pointer.ts'
import type { ReferenceKind } from '#src/shape/shape.ts'
import type { Stage } from '#src/shape/stage.ts'
import type { Json, JsonObject } from '#src/json.ts'

/** A diagnostic before it has a position. */
export interface Finding {
  readonly code: DiagnosticCode
  readonly severity?: 'warning'
  readonly path: Path | undefined
  /** Whether the key or the value is what is wrong. */
  readonly at: 'key' | 'value'
  readonly message: string
  readonly hint?: string
  /** A piece of a string value, and the same piece inside its jq source. */
  readonly piece?: { readonly value: string; readonly offset: number; readonly start: number; readonly end: number }
}

/** What names mean at a place: variables of loops and catches, and the tasks that `$steps` knows. */
export interface Scope {
  readonly parent: Scope | undefined
  readonly variables: readonly string[]
  readonly steps: ReadonlySet<string>
}

export interface Place {
  readonly stage: Stage
  readonly scope: Scope
}

/** A string that is evaluated; `source` begins at `offset` of `value`. */
export interface ExpressionSite {
  readonly path: Path | undefined
  readonly value: string
  readonly source: string
  readonly offset: number
  readonly place: Place
}

/** A list of tasks as it was found; entries that are not named tasks are left out. */
export interface ListSite {
  readonly branches: boolean
  readonly entries: readonly ListEntry[]
}

export interface ListEntry {
  readonly name: string
  readonly path: Path
  readonly task: Json
}

export interface ReferenceSite {
  readonly kind: ReferenceKind
  readonly name: string
  readonly path: Path | undefined
}

export interface TaskSite {
  readonly task: JsonObject
  readonly path: Path | undefined
}

/** What the walk over a document has found, for the checks that need to see all of it. */
export interface Facts {
  readonly findings: Finding[]
  readonly expressions: ExpressionSite[]
  readonly lists: ListSite[]
  readonly references: ReferenceSite[]
  /** Every object that is a task by its keys. */
  readonly tasks: TaskSite[]
  readonly suggestions: Suggestions
}

/** A suggestion compares a word with each name that it could mean, so a document of many mistakes and many names would cost their product. */
export interface Suggestions {
  comparisonsLeft: number
}

const comparisonsMax = 50_000

export function createFacts(): Facts {
  return { findings: [], expressions: [], lists: [], references: [], tasks: [], suggestions: { comparisonsLeft: comparisonsMax } }
}
