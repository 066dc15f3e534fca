import { Fault } from '@millrace/contract'
import { type ConnectorSource, needsConnection } from '#modules/connectors/index.ts'
import type { Workflows } from '#modules/workflows/index.ts'
import type { Tx } from '#platform/http/index.ts'
import { compileTool } from './compile-tool.ts'
import type { ConnectorTool, ToolPermission } from './connector-tool.ts'
import { deleteConnectorTool, listConnectorTools, lockConnectorTools, saveConnectorTool } from './connector-tool-store.ts'

export interface ConnectorToolsDeps {
  readonly workflows: Pick<Workflows, 'prepareCreate' | 'create' | 'remove'>
  readonly source: Pick<ConnectorSource, 'manifests'>
  /** The subset of the names that connections of the account have. */
  readonly connectionNames: (tx: Tx, accountId: string, names: readonly string[]) => Promise<ReadonlySet<string>>
  readonly now: () => number
}

/** What the owner of an account permits to MCP clients. */
export interface Offer {
  readonly name: string
  readonly connection: string | undefined
  readonly permission: ToolPermission
}

export interface PreparedOffer extends Offer {
  readonly summary: string
  readonly compiled: ReturnType<typeof compileTool>
  readonly prepared: Awaited<ReturnType<Workflows['prepareCreate']>>
}

export type ConnectorTools = ReturnType<typeof createConnectorTools>

const toolsMax = 50

/** Keeps which functions of connectors an account offers to MCP clients; none that its owner did not choose. */
export function createConnectorTools({ workflows, source, connectionNames, now }: ConnectorToolsDeps) {
  const removeWorkflow = (tx: Tx, accountId: string, { workflowId }: ConnectorTool, actor: string) =>
    workflows.remove(tx, accountId, workflowId, { actor, ifMatch: undefined, managedBy: 'mcp' })

  return {
    list: listConnectorTools,

    /** Prepares `offer`; call it before the transaction of `offer`. Faults: `not_found`, `request_invalid`. */
    async prepare(accountId: string, offer: Offer): Promise<PreparedOffer> {
      const [found] = await source.manifests(accountId, [offer.name])
      if (found === undefined) throw new Fault('not_found', { detail: `No connector of the account has a function "${offer.name}".` })
      if (needsConnection(found.input) && offer.connection === undefined)
        throw invalid('/connection', `The function "${offer.name}" needs a connection.`)
      const compiled = compileTool(offer.name, offer.connection, found)
      const { summary } = found
      return {
        ...offer,
        summary,
        compiled,
        prepared: await workflows.prepareCreate(accountId, { definition: compiled.definition, publish: true }),
      }
    },

    /**
     * Offers a function, or changes how it is offered. A change of what a call does makes another workflow, so that a proposal from before can
     * no longer be confirmed. Faults: `request_invalid`, `conflict`.
     */
    async offer(tx: Tx, accountId: string, { name, summary, connection, permission, compiled, prepared }: PreparedOffer, actor: string) {
      if (connection !== undefined && !(await connectionNames(tx, accountId, [connection])).has(connection))
        throw invalid('/connection', `The account has no connection "${connection}".`)
      const known = await lockConnectorTools(tx, accountId)
      const before = known.find((tool) => tool.function === name)
      if (before === undefined && known.length >= toolsMax)
        throw new Fault('conflict', { detail: `${toolsMax} functions are offered. Withdraw those that are not needed.` })
      const isSame = before?.digest === compiled.digest
      if (before !== undefined && !isSame) await removeWorkflow(tx, accountId, before, actor)
      const given = {
        definition: compiled.definition,
        name,
        description: undefined,
        tags: undefined,
        publish: true,
        managedBy: 'mcp' as const,
      }
      const workflowId = isSame ? before.workflowId : (await workflows.create(tx, accountId, given, prepared, { actor })).id
      const tool = { function: name, summary, connection, permission, digest: compiled.digest, workflowId }
      const saved: ConnectorTool = { ...tool, updatedAt: new Date(now()), updatedBy: actor }
      await saveConnectorTool(tx, accountId, saved)
      return saved
    },

    /** Fault `not_found`. */
    async withdraw(tx: Tx, accountId: string, name: string, actor: string): Promise<void> {
      const tool = (await lockConnectorTools(tx, accountId)).find((candidate) => candidate.function === name)
      if (tool === undefined) throw new Fault('not_found', { detail: `The function "${name}" is not offered.` })
      await deleteConnectorTool(tx, accountId, name)
      await removeWorkflow(tx, accountId, tool, actor)
    },
  }
}

function invalid(pointer: string, detail: string): Fault {
  return new Fault('request_invalid', { errors: [{ pointer, detail }] })
}
