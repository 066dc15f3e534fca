import type { DiagnosticCode } from '#src/diagnostics/codes.ts'
import type { Diagnostic } from '#src/diagnostics/diagnostic.ts'
import { type Path, pointerOf } from '#src/parse/pointer.ts'
import type { Positions } from '#src/parse/positions.ts'
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

/** A finding as a diagnostic with its position in the text. */
export function toDiagnostic(positions: Positions, finding: Finding): Diagnostic {
  const pointer = pointerOf(finding.path)
  const { piece } = finding
  const span =
    piece === undefined
      ? ((finding.at === 'key' ? positions.key(pointer) : positions.value(pointer)) ?? positions.nearest(pointer))
      : positions.within(pointer, piece.value, piece.offset + piece.start, piece.offset + piece.end)
  return {
    code: finding.code,
    severity: finding.severity ?? 'error',
    pointer,
    line: span.start.line,
    column: span.start.column,
    endLine: span.end.line,
    endColumn: span.end.column,
    message: finding.message,
    ...(finding.hint === undefined ? {} : { hint: finding.hint }),
    ...(piece === undefined ? {} : { expression: { start: piece.start, end: piece.end } }),
  }
}

/** The names that an expression may read at a place: variables of loops and catches, and the tasks of `$steps`. */
export interface Scope {
  readonly parent: Scope | undefined
  readonly variables: readonly string[]
  readonly steps: ReadonlySet<string>
}

export interface Place {
  readonly stage: Stage
  readonly scope: Scope
}

/** One value of the document, as the walk meets it. */
export interface Site {
  readonly facts: Facts
  readonly value: Json
  readonly path: Path | undefined
  readonly place: Place
}

/** The site of an entry of an object or a list. */
export function child({ facts, path, place }: Site, key: string | number, value: Json, inner: Place = place): Site {
  return { facts, value, path: { parent: path, key }, place: inner }
}

/** A string that is evaluated; `source` begins at `offset` of `value`. */
export interface ExpressionSite {
  readonly path: Path | undefined
  readonly value: string
  readonly source: string
  readonly offset: number
  readonly place: Place
  /** Whether it decides: then it must give true or false. */
  readonly condition?: boolean
}

/** A list of tasks of the document; entries that are not named tasks are left out. */
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

/** The facts that the walk gathers from a document for the checks of the whole document. */
export interface Facts {
  readonly findings: Finding[]
  readonly expressions: ExpressionSite[]
  readonly lists: ListSite[]
  readonly references: ReferenceSite[]
  /** Every object that is a task by its keys. */
  readonly tasks: TaskSite[]
  readonly suggestions: Suggestions
}

/** The budget of comparisons for suggestions: a document of many mistakes and many names would cost their product. */
export interface Suggestions {
  comparisonsLeft: number
}

const comparisonsMax = 50_000

export function createFacts(): Facts {
  return { findings: [], expressions: [], lists: [], references: [], tasks: [], suggestions: { comparisonsLeft: comparisonsMax } }
}
