import type { Diagnostic } from '@millrace/dsl'
import { excerpt, type Piece } from '#terminal/excerpt.ts'
import type { Paint } from '#terminal/paint.ts'
import { printable } from '#terminal/printable.ts'
import type { CheckedDefinition } from './check-definition.ts'

/** A diagnostic of this release, or of a server, which may know further codes. */
interface NamedDiagnostic extends Piece, Pick<Diagnostic, 'severity' | 'message'> {
  readonly code: string
  readonly hint?: string | undefined
}

/** A diagnostic as `file:line:column: error: message (code)`, which editors and CI systems understand, with the piece of the source and a hint. */
export function formatDiagnostic({ file, parsed }: CheckedDefinition, diagnostic: NamedDiagnostic, paint: Paint): string {
  const { line, column, severity, message, code, hint } = diagnostic
  const label = severity === 'error' ? paint.red('error') : paint.yellow('warning')
  const place = paint.bold(`${file}:${line}:${column}:`)
  return [
    `${place} ${label}: ${printable(message)} ${paint.dim(`(${code})`)}`,
    ...excerpt(parsed.source, diagnostic, paint).map((row) => `  ${row}`),
    ...(hint === undefined ? [] : [`  ${paint.cyan('hint:')} ${printable(hint)}`]),
  ].join('\n')
}

/** `2 errors, 1 warning`, or `no problems`. */
export function countText(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  const warnings = diagnostics.length - errors
  const parts = [
    ...(errors > 0 ? [`${errors} ${errors === 1 ? 'error' : 'errors'}`] : []),
    ...(warnings > 0 ? [`${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`] : []),
  ]
  return parts.length === 0 ? 'no problems' : parts.join(', ')
}
