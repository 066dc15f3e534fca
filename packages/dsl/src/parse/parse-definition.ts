import { type Diagnostic, inOrder } from '#src/diagnostics/diagnostic.ts'
import type { Json } from '#src/json.ts'
import { type ParseLimits, defaultParseLimits } from './limits.ts'
import { parseJson } from './parse-json.ts'
import { parseYaml } from './parse-yaml.ts'
import { type Positions, createPositions } from './positions.ts'
import type { Problem, ReadResult } from './read-result.ts'
import { type SourceText, createSourceText } from './source-text.ts'
import { sourceProblem } from './text-problems.ts'

export type DefinitionFormat = 'yaml' | 'json'

export interface ParseOptions {
  /** Without it a text that starts with `{` or `[` is tried as JSON first. */
  readonly format?: DefinitionFormat
  readonly limits?: Partial<ParseLimits>
}

/** `document` is present exactly when `diagnostics` is empty. */
export interface ParsedDefinition {
  readonly format: DefinitionFormat
  readonly source: string
  readonly document?: Json
  readonly positions: Positions
  readonly diagnostics: readonly Diagnostic[]
}

/** Reads a definition from YAML 1.2 (core schema, no tags) or JSON into plain data and the position of each value. */
export function parseDefinition(text: string, options: ParseOptions = {}): ParsedDefinition {
  const limits = { ...defaultParseLimits, ...options.limits }
  // Editors on Windows write a byte order mark, which is not part of either language; offsets do not count it.
  const source = createSourceText(text.startsWith('\uFEFF') ? text.slice(1) : text)
  if (source.text.length > limits.lengthMax) return finish('yaml', source, tooLarge(source, limits))
  const unstorable = sourceProblem(source.text)
  if (unstorable !== undefined) return finish('yaml', source, { root: { start: 0, end: source.text.length }, problems: [unstorable] })
  if (options.format !== undefined) return finish(options.format, source, read(options.format, source, limits))
  if (!/^\s*[[{]/.test(source.text)) return finish('yaml', source, parseYaml(source.text, limits))
  const json = parseJson(source.text, limits)
  if (json.problems.length === 0) return finish('json', source, json)
  // `{ a: 1 }` is YAML that looks like JSON; if it is neither, the problems of the JSON parser are more precise.
  const yaml = json.problems.some((problem) => problem.code !== 'syntax_error') ? json : parseYaml(source.text, limits)
  return yaml.problems.length === 0 ? finish('yaml', source, yaml) : finish('json', source, json)
}

function read(format: DefinitionFormat, source: SourceText, limits: ParseLimits): ReadResult {
  return format === 'json' ? parseJson(source.text, limits) : parseYaml(source.text, limits)
}

function tooLarge(source: SourceText, limits: ParseLimits): ReadResult {
  const message = `The document has ${source.text.length} characters, more than the ${limits.lengthMax} that are allowed.`
  const hint = 'Split the workflow: move parts of it into workflows of their own and call them with run: workflow.'
  return { root: { start: 0, end: 0 }, problems: [{ code: 'document_too_large', pointer: '', start: 0, end: 0, message, hint }] }
}

function finish(format: DefinitionFormat, source: SourceText, result: ReadResult): ParsedDefinition {
  const diagnostics = inOrder(result.problems.map((problem) => toDiagnostic(source, problem)))
  const positions = createPositions(source, result.root)
  const base = { format, source: source.text, positions, diagnostics }
  return result.value === undefined || diagnostics.length > 0 ? base : { ...base, document: result.value }
}

function toDiagnostic(source: SourceText, problem: Problem): Diagnostic {
  const start = source.at(problem.start)
  const end = source.at(problem.end)
  return {
    code: problem.code,
    severity: 'error',
    pointer: problem.pointer,
    line: start.line,
    column: start.column,
    endLine: end.line,
    endColumn: end.column,
    message: problem.message,
    ...(problem.hint === undefined ? {} : { hint: problem.hint }),
  }
}
