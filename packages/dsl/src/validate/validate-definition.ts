import { type Diagnostic, inOrder } from '#src/diagnostics/diagnostic.ts'
import { type ParseOptions, type ParsedDefinition, parseDefinition } from '#src/parse/parse-definition.ts'
import { definitionShape } from '#src/shape/definition-shape.ts'
import type { Definition } from '#src/shape/definition-shape.ts'
import { findingsOf, isOfShape } from './findings-of.ts'
import type { ValidateOptions } from './options.ts'
import { toDiagnostic } from './to-diagnostic.ts'

/** `definition` is there exactly when no diagnostic is an error. */
export interface ValidationResult {
  readonly definition?: Definition
  readonly diagnostics: readonly Diagnostic[]
}

/** Checks a definition, given as text or already parsed, and reports everything that is wrong with it at once, in the order of the text. */
export function validateDefinition(input: string | ParsedDefinition, options: ValidateOptions & ParseOptions = {}): ValidationResult {
  const parsed = typeof input === 'string' ? parseDefinition(input, options) : input
  if (parsed.document === undefined) return { diagnostics: parsed.diagnostics }
  const { document, positions } = parsed
  const findings = findingsOf(document, definitionShape, options)
  const diagnostics = inOrder(findings.map((finding) => toDiagnostic(positions, finding)))
  return isOfShape(document, definitionShape, findings) ? { definition: document, diagnostics } : { diagnostics }
}
