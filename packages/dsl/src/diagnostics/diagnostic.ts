import type { DiagnosticCode } from './codes.ts'

/**
 * One mistake in a definition, with its position.
 *
 * `pointer` is a JSON Pointer (RFC 6901); lines and columns are 1-based, columns in UTF-16 units, the end exclusive.
 * `expression` is the span inside the jq source (UTF-16 offsets, end exclusive); line and column then point at it in the file.
 */
export interface Diagnostic {
  readonly code: DiagnosticCode
  readonly severity: 'error' | 'warning'
  readonly pointer: string
  readonly line: number
  readonly column: number
  readonly endLine?: number
  readonly endColumn?: number
  readonly message: string
  /** What to write instead. */
  readonly hint?: string
  readonly expression?: { readonly start: number; readonly end: number }
}

/** In the order of the file. */
function byPosition(a: Diagnostic, b: Diagnostic): number {
  return a.line - b.line || a.column - b.column || (a.code < b.code ? -1 : Number(a.code > b.code))
}

/** Diagnostics of one text; more are dropped, since a hostile text can have one for each character. */
const diagnosticsMax = 1000

/** The diagnostics in the order of the text; if there are too many, errors are kept before warnings and earlier ones before later ones. */
export function inOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const sorted = diagnostics.toSorted(byPosition)
  if (sorted.length <= diagnosticsMax) return sorted
  const errors = sorted.filter(({ severity }) => severity === 'error').slice(0, diagnosticsMax)
  const warnings = sorted.filter(({ severity }) => severity === 'warning').slice(0, diagnosticsMax - errors.length)
  return [...errors, ...warnings].toSorted(byPosition)
}
