import type * as z from 'zod'
import { type Executions, labelsView } from '#modules/executions/index.ts'
import type { Workflows } from '#modules/workflows/index.ts'
import type { Database } from '#platform/db/database.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { type AccountOperation, described } from './parameters.ts'
import type { ReadContext, Reader } from './reader.ts'

/** What starts a workflow, as models read it. */
interface ListedTrigger {
  readonly id: string
  readonly workflowId: string
  readonly name: string
  readonly kind: string
  readonly enabled: boolean
}

export interface ReadersDeps {
  readonly database: Pick<Database, 'account'>
  readonly workflows: Pick<Workflows, 'list' | 'get'>
  readonly executions: Pick<Executions, 'search' | 'get'>
  readonly listTriggers: (accountId: string, limit: number) => Promise<readonly ListedTrigger[]>
}

export type Readers = Readonly<Record<AccountOperation, Reader>>

const rowsMax = 25
const outputMax = 4_000

type Parameters<K extends AccountOperation> = z.output<(typeof described)[K]['parameters']>

/** The operations by which models read workflows, executions and triggers of an account. None reads secrets, users or mails. */
export function createReaders({ database, workflows, executions, listTriggers }: ReadersDeps): Readers {
  return {
    list_workflows: reader('list_workflows', async ({ text }, { accountId }) => {
      const filter = { cursor: undefined, state: undefined, tag: undefined, trigger: undefined, text, sort: 'created' as const }
      const { data } = await database.account(accountId, (tx) => workflows.list(tx, accountId, { ...filter, limit: rowsMax }))
      return data.map(({ id, name, description, enabled, latest }) => ({
        id: toTypeId('wf', id),
        name,
        description: description ?? null,
        enabled,
        version: latest?.number ?? null,
      }))
    }),
    get_workflow: reader('get_workflow', async ({ workflowId }, { accountId }) => {
      const { workflow, text } = await workflows.get(accountId, idOf('wf', workflowId), undefined, 'yaml')
      return { id: workflowId, name: workflow.name, definition: text }
    }),
    list_executions: reader('list_executions', async ({ workflowId, state, labels }, { accountId }) => {
      const request = {
        limit: rowsMax,
        cursor: undefined,
        states: state === undefined ? [] : [state],
        triggers: [],
        labels: Object.entries(labels ?? {}).map(([name, value]) => ({ name, value })),
        workflowId: workflowId === undefined ? undefined : idOf('wf', workflowId),
        errorType: undefined,
        needsAttention: false,
        causedBy: undefined,
        text: undefined,
        from: undefined,
        to: undefined,
      }
      const { data } = await database.account(accountId, (tx) => executions.search(tx, accountId, request))
      return data.map(({ execution, workflowName }) => ({
        id: toTypeId('exec', execution.id),
        workflow: workflowName ?? null,
        workflowId: toTypeId('wf', execution.workflowId),
        state: execution.state,
        createdAt: execution.createdAt.toISOString(),
        ...labelsView(execution.labels),
      }))
    }),
    get_execution: reader('get_execution', async ({ executionId }, { accountId, signal }) => {
      const key = { accountId, id: idOf('exec', executionId) }
      const { execution } = await executions.get(key, { task: undefined, limit: 1, cursor: undefined }, signal)
      const { state, error, output, createdAt, endedAt, labels } = execution
      return {
        id: executionId,
        state,
        error: error === undefined ? null : { title: error.title ?? null, detail: error.detail ?? null, at: error.instance ?? null },
        output: output?.slice(0, outputMax) ?? null,
        createdAt: createdAt.toISOString(),
        endedAt: endedAt?.toISOString() ?? null,
        ...labelsView(labels),
      }
    }),
    list_triggers: reader('list_triggers', async (_none, { accountId }) => {
      const found = await listTriggers(accountId, rowsMax)
      return found.map(({ id, workflowId, name, kind, enabled }) => ({
        id: toTypeId('trg', id),
        workflowId: toTypeId('wf', workflowId),
        name,
        kind,
        enabled,
      }))
    }),
  }
}

function reader<K extends AccountOperation>(
  name: K,
  run: (parameters: Parameters<K>, context: ReadContext) => ReturnType<Reader['run']>,
): Reader {
  const { description, scope, parameters } = described[name]
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The schema of the same operation has parsed them.
  return { description, scope, parameters, run: (given, context) => run(parameters.parse(given) as Parameters<K>, context) }
}
