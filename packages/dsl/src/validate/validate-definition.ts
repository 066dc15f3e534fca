import type { Diagnostic } from '#src/diagnostics/diagnostic.ts'
import { type ParseOptions, type ParsedDefinition, parseDefinition } from '#src/parse/parse-definition.ts'
import { type Definition, definitionShape } from '#src/shape/definition-shape.ts'
import { checkDocument } from './check-document.ts'
import type { ValidateOptions } from './options.ts'

/** `definition` is present exactly when no diagnostic is an error. */
export interface ValidationResult {
  readonly definition?: Definition
  readonly diagnostics: readonly Diagnostic[]
}

/** Checks a definition, given as text or already parsed, and reports everything that is wrong with it at once, in the order of the text. */
export function validateDefinition(input: string | ParsedDefinition, options: ValidateOptions & ParseOptions = {}): ValidationResult {
  const parsed = typeof input === 'string' ? parseDefinition(input, options) : input
  const { value, diagnostics } = checkDocument(parsed, definitionShape, options)
  return value === undefined ? { diagnostics } : { definition: value, diagnostics }
}
