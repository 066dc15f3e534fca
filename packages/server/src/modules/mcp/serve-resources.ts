import { Fault } from '@millrace/contract'
import type { AccountOperation, Readers } from '#modules/account-reads/index.ts'
import type { McpCaller } from './handlers.ts'

type Reading = Pick<McpCaller, 'accountId' | 'scopes'>

/** The text of a resource in the form of the protocol. */
interface ResourceText {
  readonly uri: string
  readonly mimeType: string
  readonly text: string
}

const workflow = { scheme: 'millrace://workflows/', mimeType: 'application/yaml' } as const
const execution = { scheme: 'millrace://executions/', mimeType: 'application/json' } as const

/** What the addresses of resources begin with; an id follows. */
export const resourceUris = { workflow: workflow.scheme, execution: execution.scheme } as const

/** Workflows and executions of an account as resources of the Model Context Protocol, as far as the scopes of the caller permit. */
export function createMcpResources(readers: Readers) {
  const may = ({ scopes }: Reading, operation: AccountOperation) => scopes.has(readers[operation].scope)

  return {
    /** The newest workflows. */
    async list(caller: Reading, signal: AbortSignal) {
      if (!may(caller, 'list_workflows')) return []
      const found = await readers.list_workflows.run({}, { accountId: caller.accountId, signal })
      return (Array.isArray(found) ? found : []).map((row) => {
        const { id, name, description } = Object(row)
        const text = typeof description === 'string' ? description : `Definition of the workflow ${String(name)}.`
        return { uri: `${workflow.scheme}${String(id)}`, name: String(name), description: text, mimeType: workflow.mimeType }
      })
    },

    /** Addresses of resources that are too many to be listed. */
    templates: (caller: Reading) =>
      may(caller, 'get_execution')
        ? [
            {
              uriTemplate: `${execution.scheme}{executionId}`,
              name: 'Execution',
              description: 'State, error and output of an execution.',
              mimeType: execution.mimeType,
            },
          ]
        : [],

    /** Undefined without such a resource, or without the scope that it needs. */
    async read(caller: Reading, uri: string, signal: AbortSignal): Promise<ResourceText | undefined> {
      const context = { accountId: caller.accountId, signal }
      try {
        if (uri.startsWith(workflow.scheme) && may(caller, 'get_workflow')) {
          const found = await readers.get_workflow.run({ workflowId: uri.slice(workflow.scheme.length) }, context)
          const { definition } = Object(found)
          return { uri, mimeType: workflow.mimeType, text: String(definition) }
        }
        if (uri.startsWith(execution.scheme) && may(caller, 'get_execution')) {
          const found = await readers.get_execution.run({ executionId: uri.slice(execution.scheme.length) }, context)
          return { uri, mimeType: execution.mimeType, text: JSON.stringify(found) }
        }
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== 'not_found') throw error
      }
      return undefined
    },
  }
}

export type McpResources = ReturnType<typeof createMcpResources>
