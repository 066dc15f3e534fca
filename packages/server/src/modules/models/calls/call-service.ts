import { Fault } from '@millrace/contract'
import type { Tx } from '#platform/http/index.ts'
import { findCall, listCalls } from './call-store.ts'

/** Records of the calls of models. */
export type ModelCalls = ReturnType<typeof createModelCalls>

export function createModelCalls() {
  return {
    list: listCalls,

    async get(tx: Tx, accountId: string, id: string) {
      const call = await findCall(tx, accountId, id)
      if (call === undefined) throw new Fault('not_found', { detail: 'There is no such call of a model, or its record has expired.' })
      return call
    },
  }
}
