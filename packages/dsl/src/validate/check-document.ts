import type { Json } from '#src/json.ts'
import { type Diagnostic, inOrder } from '#src/diagnostics/diagnostic.ts'
import type { ParsedDefinition } from '#src/parse/parse-definition.ts'
import type { Describes, Shape } from '#src/shape/shape.ts'
import { checkArguments } from './checks/check-arguments.ts'
import { checkDoubts } from './checks/check-doubts.ts'
import { checkExpansion } from './checks/check-expansion.ts'
import { checkExpressions } from './checks/check-expressions.ts'
import { checkFlow } from './checks/check-flow.ts'
import { checkRecursion } from './checks/check-recursion.ts'
import { checkReferences } from './checks/check-references.ts'
import { componentsOf } from './checks/components.ts'
import { type Finding, createFacts, toDiagnostic } from './facts.ts'
import type { ValidateOptions } from './options.ts'
import { lackingFeatures } from './unsupported-parts.ts'
import { walk } from './walk/walk.ts'

/** A document of a shape with all its diagnostics; `value` is present exactly when none of them is an error. */
export interface CheckedDocument<Value> {
  readonly value?: Value
  readonly diagnostics: readonly Diagnostic[]
}

/** Checks a document against its shape and for its meaning; `adapt` changes findings before they become diagnostics. */
export function checkDocument<Value>(
  { document, positions, diagnostics: problems }: ParsedDefinition,
  shape: Shape & Describes<Value>,
  options: ValidateOptions,
  adapt: (finding: Finding) => Finding = (finding) => finding,
): CheckedDocument<Value> {
  if (document === undefined) return { diagnostics: problems }
  const findings = findingsOf(document, shape, options)
  const diagnostics = inOrder(findings.map((finding) => toDiagnostic(positions, adapt(finding))))
  return isOfShape(document, shape, findings) ? { value: document, diagnostics } : { diagnostics }
}

/** Whether a document is a value of the shape that it was checked against, which is so when none of its findings is an error. */
function isOfShape<Value>(_document: Json, _shape: Shape & Describes<Value>, findings: readonly Finding[]): _document is Json & Value {
  return findings.every((finding) => finding.severity === 'warning')
}

function findingsOf(document: Json, shape: Shape, options: ValidateOptions): readonly Finding[] {
  const facts = createFacts()
  const place = { stage: 'task', scope: { parent: undefined, variables: [], steps: new Set<string>() } } as const
  walk({ facts, value: document, path: undefined, place }, shape)
  const components = componentsOf(document)
  checkFlow(facts)
  checkReferences(facts, components, options)
  checkRecursion(facts, document)
  // A schema is applied at each call of its function, so the expansion is bounded first.
  if (checkExpansion(facts, document)) checkArguments(facts, document, options)
  checkExpressions(facts, components)
  checkDoubts(facts, document, options)
  return [...facts.findings, ...lackingFeatures(document, options.lacking ?? [])]
}
