import type { DiagnosticCode } from './codes.ts'

/**
 * One thing that is wrong with a definition, and where.
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

/** As a reader of the file meets them. */
function byPosition(a: Diagnostic, b: Diagnostic): number {
  return a.line - b.line || a.column - b.column || (a.code < b.code ? -1 : Number(a.code > b.code))
}

/** More than this many help nobody, and a text can be made to have as many as it has characters. */
const diagnosticsMax = 1000

/** The diagnostics of a text in its order; of too many the errors go before the warnings, and the first before the last. */
export function inOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const sorted = diagnostics.toSorted(byPosition)
  if (sorted.length <= diagnosticsMax) return sorted
  const errors = sorted.filter(({ severity }) => severity === 'error').slice(0, diagnosticsMax)
  const warnings = sorted.filter(({ severity }) => severity === 'warning').slice(0, diagnosticsMax - errors.length)
  return [...errors, ...warnings].toSorted(byPosition)
}
