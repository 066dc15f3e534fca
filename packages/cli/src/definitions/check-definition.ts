import { extname } from 'node:path'
import {
  type Definition,
  type DefinitionFormat,
  type Diagnostic,
  type ParsedDefinition,
  parseDefinition,
  type Positions,
  type ValidateOptions,
  validateDefinition,
} from '@millrace/dsl'
import { compileSchema, unsupportedIn } from '@millrace/engine/definition'
import { callsElsewhere, connectorOf, type KnownFunctions, knownFunctions } from './known-functions.ts'

/** A definition as it came out of a file, with all that is wrong with it. */
export interface CheckedDefinition {
  /** As the user named it. */
  readonly file: string
  readonly parsed: ParsedDefinition
  readonly known: KnownFunctions
  /** There exactly when no diagnostic is an error. */
  readonly definition?: Definition
  readonly diagnostics: readonly Diagnostic[]
}

/** What this release knows besides the language. */
export function validateOptions({ functions }: KnownFunctions): ValidateOptions {
  return { functions, checkValue: (document, value) => compileSchema({ document })(value) }
}

/** Checks a definition against the language and against what the engine of this release runs. */
export function checkDefinition(file: string, text: string): CheckedDefinition {
  const format = formatOf(file)
  const parsed = parseDefinition(text, format === undefined ? {} : { format })
  const known = knownFunctions(text)
  const { definition, diagnostics } = validateDefinition(parsed, validateOptions(known))
  if (definition === undefined) return { file, parsed, known, diagnostics }
  const unsupported = unsupportedDiagnostics(definition, parsed.positions, known)
  if (unsupported.length > 0) return { file, parsed, known, diagnostics: [...diagnostics, ...unsupported].toSorted(byPlace) }
  const unseen = callsElsewhere(definition, known).map((call) => unseenFunction(call, parsed.positions))
  return { file, parsed, known, definition, diagnostics: unseen.length === 0 ? diagnostics : [...diagnostics, ...unseen].toSorted(byPlace) }
}

export function isError(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === 'error'
}

function formatOf(file: string): DefinitionFormat | undefined {
  const extension = extname(file).toLowerCase()
  if (extension === '.json') return 'json'
  return extension === '.yaml' || extension === '.yml' ? 'yaml' : undefined
}

function unsupportedDiagnostics(definition: Definition, positions: Positions, { functions }: KnownFunctions): readonly Diagnostic[] {
  // External resources are fetched before the definition runs.
  return unsupportedIn(definition, { functions, resources: {} }).map(({ pointer, what }) => {
    return {
      code: 'unsupported_feature',
      severity: 'error',
      ...placeOf(pointer, positions),
      message: `${what[0]?.toUpperCase()}${what.slice(1)}${what.endsWith('.') ? '' : '.'}`,
      hint: 'The definition is valid, but this release of Millrace cannot run this part of it.',
    }
  })
}

function unseenFunction({ name, pointer }: ReturnType<typeof callsElsewhere>[number], positions: Positions): Diagnostic {
  return {
    code: 'unknown_function',
    severity: 'warning',
    ...placeOf(pointer, positions),
    message: `No connector "${connectorOf(name)}" comes with Millrace, so the call of "${name}" was not checked.`,
    hint: 'If your account has the connector, its server checks the call when you deploy the workflow.',
  }
}

function placeOf(pointer: string, positions: Positions) {
  const { start, end } = positions.key(pointer) ?? positions.nearest(pointer)
  return { pointer, line: start.line, column: start.column, endLine: end.line, endColumn: end.column }
}

function byPlace(one: Diagnostic, other: Diagnostic): number {
  return one.line - other.line || one.column - other.column
}
