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
import { catalog } from '@millrace/server/catalog'

/** A definition as it came out of a file, with all that is wrong with it. */
export interface CheckedDefinition {
  /** As the user named it. */
  readonly file: string
  readonly parsed: ParsedDefinition
  /** There exactly when no diagnostic is an error. */
  readonly definition?: Definition
  readonly diagnostics: readonly Diagnostic[]
}

/** What this release knows besides the language. */
export const validateOptions: ValidateOptions = {
  functions: catalog,
  checkValue: (document, value) => compileSchema({ document })(value),
}

/** Checks a definition against the language and against what the engine of this release runs. */
export function checkDefinition(file: string, text: string): CheckedDefinition {
  const format = formatOf(file)
  const parsed = parseDefinition(text, format === undefined ? {} : { format })
  const { definition, diagnostics } = validateDefinition(parsed, validateOptions)
  if (definition === undefined) return { file, parsed, diagnostics }
  const unsupported = unsupportedDiagnostics(definition, parsed.positions)
  if (unsupported.length > 0) return { file, parsed, diagnostics: [...diagnostics, ...unsupported].toSorted(byPlace) }
  return { file, parsed, definition, diagnostics }
}

export function isError(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === 'error'
}

function formatOf(file: string): DefinitionFormat | undefined {
  const extension = extname(file).toLowerCase()
  if (extension === '.json') return 'json'
  return extension === '.yaml' || extension === '.yml' ? 'yaml' : undefined
}

function unsupportedDiagnostics(definition: Definition, positions: Positions): readonly Diagnostic[] {
  // External resources are fetched before the definition runs.
  return unsupportedIn(definition, { functions: catalog, resources: {} }).map(({ pointer, what }) => {
    const { start, end } = positions.key(pointer) ?? positions.nearest(pointer)
    return {
      code: 'unsupported_feature',
      severity: 'error',
      pointer,
      line: start.line,
      column: start.column,
      endLine: end.line,
      endColumn: end.column,
      message: `${what[0]?.toUpperCase()}${what.slice(1)}${what.endsWith('.') ? '' : '.'}`,
      hint: 'The definition is valid, but this release of Millrace cannot run this part of it.',
    }
  })
}

function byPlace(one: Diagnostic, other: Diagnostic): number {
  return one.line - other.line || one.column - other.column
}
