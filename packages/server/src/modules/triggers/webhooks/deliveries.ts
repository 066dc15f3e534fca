import { Fault } from '@millrace/contract'
import type { Fire, FireDeps } from '#modules/triggers/firing/fire.ts'
import { startedAs } from '#modules/triggers/forms/submission.ts'
import { findTrigger } from '#modules/triggers/trigger-store.ts'
import type { Tx } from '#platform/http/index.ts'
import type { StartTest } from './receive-deps.ts'
import { findContent, findDelivery, listDeliveries } from './delivery-store.ts'

export interface DeliveriesDeps extends Pick<FireDeps, 'database'> {
  readonly fire: Pick<Fire, 'start' | 'input' | 'passes'>
  readonly startTest: StartTest
}

export type Deliveries = ReturnType<typeof createDeliveries>

/** The requests that webhooks received. */
export function createDeliveries({ database, fire, startTest }: DeliveriesDeps) {
  return {
    list: listDeliveries,

    async get(tx: Tx, accountId: string, id: string) {
      const found = await findDelivery(tx, accountId, id)
      if (found === undefined) throw new Fault('not_found', { detail: 'There is no such delivery.' })
      return found
    },

    /**
     * Starts the workflow again with the content of a delivery; of one to the test URL, a test of the draft. Fault `delivery_ignored` if the filter, as
     * it is now, gives false.
     * @param key names the request, whose repetition starts nothing.
     */
    async replay(accountId: string, id: string, { actor, key }: { readonly actor: string; readonly key: string | undefined }) {
      const { content, test, trigger } = await database.account(accountId, async (tx) => {
        const found = await findContent(tx, accountId, id)
        const owner = found === undefined ? undefined : await findTrigger(tx, accountId, found.triggerId)
        if (found === undefined || owner === undefined) throw new Fault('not_found', { detail: 'There is no such delivery.' })
        return { ...found, trigger: startedAs(owner) }
      })
      if (content === undefined) throw new Fault('conflict', { detail: 'The delivery was refused, so its content was not kept.' })
      if (!(await fire.passes(trigger, content))) throw new Fault('delivery_ignored')
      const firing = { cause: key === undefined ? undefined : `replay:${key}`, data: content, actor, origin: 'replay' } as const
      const started = test
        ? await startTest({ accountId, actor }, trigger.workflowId, await fire.input(trigger, firing))
        : await fire.start(trigger, firing)
      return { triggerId: trigger.id, executionId: started.id }
    },
  }
}
