import { type Diagnostic, inOrder } from '#src/diagnostics/diagnostic.ts'
import { type ParseOptions, type ParsedDefinition, parseDefinition } from '#src/parse/parse-definition.ts'
import { pointerOf } from '#src/parse/pointer.ts'
import type { Positions } from '#src/parse/positions.ts'
import { definitionShape } from '#src/shape/definition-shape.ts'
import type { Definition } from '#src/types/definition.ts'
import type { Json } from '#src/types/json.ts'
import { checkExpressions } from './check-expressions.ts'
import { checkFeatures } from './check-features.ts'
import { checkFlow } from './check-flow.ts'
import { checkReferences } from './check-references.ts'
import { componentsOf } from './components.ts'
import { type Finding, createFacts } from './facts.ts'
import type { ValidateOptions } from './options.ts'
import { walk } from './walk.ts'

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
  const findings = findingsOf(document, options)
  const diagnostics = inOrder(findings.map((finding) => toDiagnostic(positions, finding)))
  if (findings.some((finding) => finding.severity !== 'warning')) return { diagnostics }
  return { definition: asDefinition(document), diagnostics }
}

function findingsOf(document: Json, options: ValidateOptions): readonly Finding[] {
  const facts = createFacts()
  walk(facts, definitionShape, document, undefined, { stage: 'workflow', scope: { parent: undefined, variables: [], steps: [] } })
  const components = componentsOf(document)
  checkFlow(facts)
  checkReferences(facts, components, options)
  checkExpressions(facts, components)
  checkFeatures(facts, document, options.unsupported ?? [])
  return facts.findings
}

function asDefinition(document: Json): Definition {
  // The shapes that the document has just passed are those that the types describe; the agreement test holds the two together.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return document as unknown as Definition
}

function toDiagnostic(positions: Positions, finding: Finding): Diagnostic {
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
