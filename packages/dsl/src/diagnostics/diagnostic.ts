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

/** Orders diagnostics as a reader of the file meets them. */
export function byPosition(a: Diagnostic, b: Diagnostic): number {
  return a.line - b.line || a.column - b.column || (a.code < b.code ? -1 : Number(a.code > b.code))
}
