import type { JsonObject } from '@millrace/engine'
import type { ChainMember, ChainStep } from './model.ts'

/** The name by which `run: workflow` finds a workflow. */
export interface DocumentName {
  readonly namespace: string
  readonly name: string
}

/** The namespace of the workflows that chains are compiled to. */
const chainNamespace = 'millrace-chains'

/** Compiles a chain to one definition, whose tasks run the members. `names` has the name of every member's workflow. */
export function compileChain(
  chain: { readonly id: string; readonly name: string; readonly members: readonly ChainMember[] },
  names: ReadonlyMap<string, DocumentName>,
): JsonObject {
  return {
    document: {
      dsl: '1.0.3',
      namespace: chainNamespace,
      name: `chain-${chain.id}`,
      version: '1.0.0',
      title: chain.name,
    },
    do: chain.members.map((member) => ({ [member.name]: taskOf(member, names) })),
  }
}

function taskOf(member: ChainMember, names: ReadonlyMap<string, DocumentName>): JsonObject {
  const work: JsonObject =
    'parallel' in member
      ? { fork: { branches: member.parallel.map((step) => ({ [step.name]: taskOf(step, names) })) } }
      : { run: { workflow: callOf(member, names) } }
  const condition: JsonObject = member.condition === undefined ? {} : { if: `\${ ${member.condition} }` }
  if (member.onFault === 'stop') return { ...condition, ...work }
  return { ...condition, try: [{ run: work }], catch: { do: [{ fault: { set: { fault: '${ $error }' } } }] } }
}

function callOf({ workflowId, mapping }: ChainStep, names: ReadonlyMap<string, DocumentName>): JsonObject {
  const name = names.get(workflowId)
  if (name === undefined) throw new Error(`the workflow ${workflowId} of a chain has no name`)
  return { ...name, version: 'latest', input: `\${ ${mapping ?? '.'} }` }
}
