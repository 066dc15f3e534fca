import type { Diagnostic } from '#src/diagnostics/diagnostic.ts'
import { pointerOf } from '#src/parse/pointer.ts'
import type { Positions } from '#src/parse/positions.ts'
import type { Finding } from './facts.ts'

/** Gives a finding its place in the text. */
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
