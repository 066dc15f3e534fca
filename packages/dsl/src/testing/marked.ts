import { expect } from 'vitest'
import type { DiagnosticCode } from '#src/diagnostics/codes.ts'
import type { Diagnostic } from '#src/diagnostics/diagnostic.ts'
import { createSourceText } from '#src/parse/source-text.ts'
import type { ValidateOptions } from '#src/validate/options.ts'
import { validateDefinition } from '#src/validate/validate-definition.ts'

const header = `document: { dsl: 1.0.3, namespace: test, name: sample, version: 1.0.0 }
`

/** An expected diagnostic: its code, and optionally texts that its message and hint contain. */
export type Expected = DiagnosticCode | { readonly code: DiagnosticCode; readonly message?: string; readonly hint?: string }

interface Mark {
  readonly start: number
  readonly end: number
}

/** Takes the marks `«…»` out of a text. */
function unmark(text: string): { readonly text: string; readonly marks: readonly Mark[] } {
  const marks: Mark[] = []
  let plain = ''
  let start = 0
  for (const unit of text) {
    if (unit === '«') start = plain.length
    else if (unit === '»') marks.push({ start, end: plain.length })
    else plain += unit
  }
  return { text: plain, marks }
}

/**
 * Validates a definition (YAML without `document`) in which each place that is wrong is marked `«so»`, and expects exactly these diagnostics, in
 * the order of the text.
 */
export function expectDiagnostics(marked: string, expected: readonly Expected[], options: ValidateOptions = {}): void {
  expectDocumentDiagnostics(header + marked.replace(/^\n/, ''), expected, options)
}

/** The same for a whole document. */
export function expectDocumentDiagnostics(marked: string, expected: readonly Expected[], options: ValidateOptions = {}): void {
  const { text, marks } = unmark(marked)
  const source = createSourceText(text)
  const { diagnostics } = validateDefinition(text, options)
  const wanted = expected.map((entry, index) => {
    const mark = marks[index]
    const [start, end] = [mark && source.at(mark.start), mark && source.at(mark.end)]
    return {
      code: typeof entry === 'string' ? entry : entry.code,
      from: start && `${start.line}:${start.column}`,
      to: end && `${end.line}:${end.column}`,
    }
  })
  expect(diagnostics.map(placed)).toEqual(wanted)
  for (const [index, entry] of expected.entries()) {
    if (typeof entry === 'string') continue
    if (entry.message !== undefined) expect(diagnostics[index]?.message).toContain(entry.message)
    if (entry.hint !== undefined) expect(diagnostics[index]?.hint).toContain(entry.hint)
  }
  expect(marks).toHaveLength(expected.length)
}

function placed({ code, line, column, endLine, endColumn }: Diagnostic) {
  return { code, from: `${line}:${column}`, to: `${endLine}:${endColumn}` }
}

/** Expects a definition (YAML without `document`) to have nothing wrong with it, warnings included. */
export function expectValid(text: string, options: ValidateOptions = {}): void {
  expectDiagnostics(text, [], options)
}
