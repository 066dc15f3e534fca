import { Fault } from '@millrace/contract'
import type { Tx } from '#platform/http/index.ts'
import { type CallsWanted, findCall, listCalls } from './call-store.ts'
import { sumCalls } from './use-store.ts'

/** Records of the calls of models. */
export type ModelCalls = ReturnType<typeof createModelCalls>

interface ModelCallsDeps {
  readonly findWorkflowNames: (tx: Tx, accountId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

const groupsMax = 100

export function createModelCalls({ findWorkflowNames }: ModelCallsDeps) {
  return {
    list: listCalls,

    async get(tx: Tx, accountId: string, id: string) {
      const call = await findCall(tx, accountId, id)
      if (call === undefined) throw new Fault('not_found', { detail: 'There is no such call of a model, or its record has expired.' })
      return call
    },

    async use(tx: Tx, accountId: string, wanted: CallsWanted) {
      const sums = await sumCalls(tx, accountId, wanted, groupsMax)
      const ids = sums.workflows.flatMap(({ workflowId }) => workflowId ?? [])
      return { ...sums, workflowNames: await findWorkflowNames(tx, accountId, ids) }
    },
  }
}
