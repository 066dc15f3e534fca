import { expect } from 'vitest'
import { parse, stringify } from 'yaml'
import type { Diagnostic } from '#src/diagnostics/diagnostic.ts'
import { parseDefinition } from '#src/parse/parse-definition.ts'
import { pointerKeys } from '#src/parse/pointer.ts'
import { isObject } from '#src/shape/variables.ts'
import type { Json } from '#src/types/json.ts'
import type { ValidateOptions } from '#src/validate/options.ts'
import { validateDefinition } from '#src/validate/validate-definition.ts'

/** Everything that a diagnostic says, in one line: `line:column code /pointer: message hint`, with `warning` in front of a warning's code. */
export function report({ line, column, code, severity, pointer, message, hint }: Diagnostic): string {
  return `${line}:${column} ${severity === 'warning' ? 'warning ' : ''}${code} ${pointer}: ${message} ${hint ?? ''}`.trimEnd()
}

export function reportsOf(text: string, options: ValidateOptions = {}): string[] {
  return validateDefinition(text, options).diagnostics.map(report)
}

/** A text with one line of it, named without its indentation, replaced by others at the same indentation, or taken out. */
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
 * Expects exactly these reports of a YAML text, and the same of what it means in flow style and in JSON, where each place has to hold the key or
 * the value that the pointer names.
 */
export function expectReports(yaml: string, expected: readonly string[], options: ValidateOptions = {}): void {
  expect(reportsOf(yaml, options)).toEqual(expected)
  const document: Json = parse(yaml)
  const wanted = expected.map(withoutPlace).toSorted()
  for (const text of [stringify(document, { collectionStyle: 'flow', lineWidth: 0 }), JSON.stringify(document, null, 2)]) {
    const { diagnostics } = validateDefinition(text, options)
    expect(diagnostics.map((diagnostic) => withoutPlace(report(diagnostic))).toSorted()).toEqual(wanted)
    for (const diagnostic of diagnostics) expectPlaced(text, document, diagnostic)
  }
}

function withoutPlace(line: string): string {
  return line.replace(/^\d+:\d+ /, '')
}

/** What stands at the place of a diagnostic is the key of its pointer, the value, or the piece of it that is an expression. */
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
