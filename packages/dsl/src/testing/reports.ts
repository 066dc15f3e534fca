import { expect } from 'vitest'
import { parse, stringify } from 'yaml'
import type { Diagnostic } from '#src/diagnostics/diagnostic.ts'
import { parseDefinition } from '#src/parse/parse-definition.ts'
import { pointerKeys } from '#src/parse/pointer.ts'
import { isObject } from '#src/shape/variables.ts'
import type { Json } from '#src/json.ts'
import type { ValidateOptions } from '#src/validate/options.ts'
import { validateDefinition } from '#src/validate/validate-definition.ts'

/** A diagnostic in one line: `line:column code /pointer: message hint`, with `warning` before the code of a warning. */
export function report(diagnostic: Diagnostic): string {
  return `${summary(diagnostic)}: ${messageOf(diagnostic)}`
}

/** Position, code and pointer of a diagnostic: `line:column code /pointer`. */
export function summary({ line, column, code, severity, pointer }: Diagnostic): string {
  return `${line}:${column} ${severity === 'warning' ? 'warning ' : ''}${code} ${pointer}`
}

/** The wording of a diagnostic without its place: `code: message hint`. */
export function wording(diagnostic: Diagnostic): string {
  return `${diagnostic.severity === 'warning' ? 'warning ' : ''}${diagnostic.code}: ${messageOf(diagnostic)}`
}

function messageOf({ message, hint }: Diagnostic): string {
  return hint === undefined ? message : `${message} ${hint}`
}

/** The reports of all diagnostics of a text. */
export function reportsOf(definition: string, options: ValidateOptions = {}): string[] {
  return validateDefinition(definition, options).diagnostics.map(report)
}

/** Replaces one line of a text, given without its indentation, by others at the same indentation, or removes it. */
export function withLine(text: string, line: string, by: string): string {
  const lines = text.split('\n')
  const places = lines.flatMap((candidate, index) => (candidate.trim() === line ? [index] : []))
  const [place] = places
  if (place === undefined || places.length > 1) throw new Error(`The text has ${places.length} lines ${JSON.stringify(line)}.`)
  const indent = ' '.repeat((lines[place] ?? '').search(/\S/))
  const inserted = by === '' ? [] : by.split('\n').map((added) => indent + added)
  return lines.toSpliced(place, 1, ...inserted).join('\n')
}

/**
 * Expects diagnostics with exactly these summaries in a YAML text, and the same diagnostics in the same document in flow style and as JSON, where
 * each must point at the key or the value that its pointer names.
 */
export function expectSummaries(yaml: string, summaries: readonly string[]): void {
  const { diagnostics } = validateDefinition(yaml)
  expect(diagnostics.map(summary)).toEqual(summaries)
  const document: Json = parse(yaml)
  const expected = diagnostics.map((diagnostic) => withoutPlace(report(diagnostic))).toSorted()
  for (const other of [stringify(document, { collectionStyle: 'flow', lineWidth: 0 }), JSON.stringify(document, null, 2)]) {
    const result = validateDefinition(other)
    expect(result.diagnostics.map((diagnostic) => withoutPlace(report(diagnostic))).toSorted()).toEqual(expected)
    for (const diagnostic of result.diagnostics) expectPlaced(other, document, diagnostic)
  }
}

/** A report without its line and column. */
function withoutPlace(line: string): string {
  return line.replace(/^\d+:\d+ /, '')
}

/** Expects that the text at the position of a diagnostic is the key of its pointer, the value, or the part of the value that is an expression. */
function expectPlaced(text: string, document: Json, { pointer, line, column, endLine, endColumn, expression }: Diagnostic): void {
  const written = text.slice(offsetOf(text, line, column), offsetOf(text, endLine ?? line, endColumn ?? column))
  const keys = pointerKeys(pointer)
  const value = keys.reduce<Json | undefined>((owner, key) => childOf(owner, key), document)
  if (expression !== undefined) {
    const whole = parseDefinition(text).positions.value(pointer)
    expect(text.slice(whole?.start.offset, whole?.end.offset)).toContain(written)
    return
  }
  // A value on its own reads as in its list or object, but for an empty one, which is written as nothing.
  const found: unknown = written === '' ? null : parse(written)
  expect([keys.at(-1), value]).toContainEqual(found)
}

function childOf(owner: Json | undefined, key: string): Json | undefined {
  if (Array.isArray(owner)) {
    const item: Json | undefined = owner[Number(key)]
    return item
  }
  return isObject(owner) ? owner[key] : undefined
}

function offsetOf(text: string, line: number, column: number): number {
  const before = text.split('\n').slice(0, line - 1)
  return before.reduce((offset, earlier) => offset + earlier.length + 1, 0) + column - 1
}
