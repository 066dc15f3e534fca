import { JqSyntaxError } from '@millrace/jq'
import { absent, memberOf, traceProgram, unknown } from '@millrace/jq/tracing'

/** What a member of a chain probably lacks of the input that its workflow requires. */
export interface MissingInput {
  readonly kind: 'unmapped' | 'lacking'
  readonly names: readonly string[]
}

/**
 * Compares a mapping with the schema of a workflow's input. Only what is certain counts: that there is no mapping, or that what it makes has no such member.
 *
 * @param isFirst whether the member gets the input of the chain, for which a person is asked
 */
export function missingInput(schema: unknown, mapping: string, isFirst: boolean): MissingInput | undefined {
  const required = requiredOf(schema)
  if (required.length === 0) return undefined
  if (mapping.trim() === '') return isFirst ? undefined : { kind: 'unmapped', names: required }
  const names = namesLacking(required, mapping)
  return names.length === 0 ? undefined : { kind: 'lacking', names }
}

function requiredOf(schema: unknown): readonly string[] {
  const { required }: { required?: unknown } = Object(schema)
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

/** Variables of mappings of chains. */
const variables = new Map(
  ['steps', 'workflow', 'context', 'input', 'task', 'runtime', 'secrets', 'variables'].map((name) => [name, unknown]),
)
/** Far more than a mapping that people write has. */
const nodesMax = 20_000

/** Of some members, those that what a mapping makes certainly does not have; none of a mapping with a mistake. */
function namesLacking(names: readonly string[], mapping: string): readonly string[] {
  try {
    const made = traceProgram(mapping, { input: unknown, variables, found: () => undefined, as: 'value', budget: { left: nodesMax } })
    return names.filter((name) => memberOf(made, name) === absent)
  } catch (error) {
    if (!(error instanceof JqSyntaxError)) throw error
    return []
  }
}
