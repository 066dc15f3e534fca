import { type Diagnostic, inOrder } from '#src/diagnostics/diagnostic.ts'
import type { DiagnosticCode } from '#src/diagnostics/codes.ts'
import { type ParseOptions, type ParsedDefinition, parseDefinition } from '#src/parse/parse-definition.ts'
import { task } from '#src/shape/task-shapes.ts'
import type { Task } from '#src/shape/task-shapes.ts'
import type { Finding } from './facts.ts'
import { findingsOf, isOfShape } from './findings-of.ts'
import type { ValidateOptions } from './options.ts'
import { toDiagnostic } from './to-diagnostic.ts'

/** `function` is there exactly when no diagnostic is an error. */
export interface FunctionResult {
  readonly function?: Task
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Reads and checks the definition of a function on its own, as a catalog or a URL gives it (`function.yaml`): one task, whose `input.schema` and
 * `output.schema` say what it takes and gives.
 *
 * Nothing of the definitions that call it is known to it: no component of `use`, no secret. What the installation has is given by the options.
 */
export function parseFunction(input: string | ParsedDefinition, options: ValidateOptions & ParseOptions = {}): FunctionResult {
  const parsed = typeof input === 'string' ? parseDefinition(input, options) : input
  if (parsed.document === undefined) return { diagnostics: parsed.diagnostics }
  const { document, positions } = parsed
  const findings = findingsOf(document, task, options)
  const diagnostics = inOrder(findings.map((finding) => toDiagnostic(positions, withOwnHint(finding))))
  return isOfShape(document, task, findings) ? { function: document, diagnostics } : { diagnostics }
}

/** Where a definition would be told to add something to its `use`. */
const ownHints: Partial<Record<DiagnosticCode, string>> = {
  undeclared_secret: 'Take it as an argument: a function from elsewhere reads no secrets.',
  plain_credential: 'Take it as an argument: a function from elsewhere reads no secrets.',
  unknown_reference: 'Write it here in place of the name: a function from elsewhere has no use.',
  unknown_function: 'Call it by its URL: a function from elsewhere has no use, and knows the default catalog only.',
}

function withOwnHint(finding: Finding): Finding {
  const hint = finding.hint?.startsWith('Did you mean') === true ? undefined : ownHints[finding.code]
  return hint === undefined ? finding : { ...finding, hint }
}
