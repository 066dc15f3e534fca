import type { Describes, Shape } from '#src/shape/shape.ts'
import type { Json } from '#src/json.ts'
import { checkArguments } from './check-arguments.ts'
import { checkExpansion } from './check-expansion.ts'
import { checkExpressions } from './check-expressions.ts'
import { checkFlow } from './check-flow.ts'
import { checkRecursion } from './check-recursion.ts'
import { checkReferences } from './check-references.ts'
import { componentsOf } from './components.ts'
import { type Finding, createFacts } from './facts.ts'
import { lackingFindings } from './lacking-findings.ts'
import type { ValidateOptions } from './options.ts'
import { walk } from './walk.ts'

/** Everything that is wrong with a document of a shape: a definition, or a function on its own. */
export function findingsOf(document: Json, shape: Shape, options: ValidateOptions): readonly Finding[] {
  const facts = createFacts()
  walk(facts, shape, document, undefined, { stage: 'task', scope: { parent: undefined, variables: [], steps: new Set() } })
  const components = componentsOf(document)
  checkFlow(facts)
  checkReferences(facts, components, options)
  checkRecursion(facts, document)
  // A schema is applied at each call of its function, so it has to be known first that this is not too much.
  if (checkExpansion(facts, document)) checkArguments(facts, document, options)
  checkExpressions(facts, components)
  return [...facts.findings, ...lackingFindings(document, options.lacking ?? [])]
}

/** Whether a document is a value of the shape that it was checked against, which is so when none of its findings is an error. */
export function isOfShape<Value>(
  _document: Json,
  _shape: Shape & Describes<Value>,
  findings: readonly Finding[],
): _document is Json & Value {
  return findings.every((finding) => finding.severity === 'warning')
}
