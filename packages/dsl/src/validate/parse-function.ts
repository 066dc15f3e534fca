import type { Diagnostic } from '#src/diagnostics/diagnostic.ts'
import type { DiagnosticCode } from '#src/diagnostics/codes.ts'
import { type ParseOptions, type ParsedDefinition, parseDefinition } from '#src/parse/parse-definition.ts'
import { type Task, task } from '#src/shape/task-shapes.ts'
import { checkDocument } from './check-document.ts'
import type { Finding } from './facts.ts'
import type { ValidateOptions } from './options.ts'

/** `function` is present exactly when no diagnostic is an error. */
export interface FunctionResult {
  readonly function?: Task
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Reads and checks the definition of a function on its own, as a catalog or a URL gives it (`function.yaml`): one task, whose `input.schema` and
 * `output.schema` describe its arguments and its output.
 *
 * It knows nothing of the definitions that call it: no component of `use`, no secret. The options give what the installation has.
 */
export function parseFunction(input: string | ParsedDefinition, options: ValidateOptions & ParseOptions = {}): FunctionResult {
  const parsed = typeof input === 'string' ? parseDefinition(input, options) : input
  const { value, diagnostics } = checkDocument(parsed, task, options, withOwnHint)
  return value === undefined ? { diagnostics } : { function: value, diagnostics }
}

/** Hints in place of those that advise to add something to `use`. */
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
