import { awaitTriggers, recordResults, type StartResult } from '#modules/triggers/firing/firing-store.ts'
import { createBatcher } from '#platform/batching/batcher.ts'
import type { Tx } from '#platform/db/database.ts'
import { findRepeatedFailures, insertDeliveries, type NewDelivery } from './delivery-store.ts'
import type { ReceiveDeps, RecordDelivery } from './receive-deps.ts'

type RecordDeps = Pick<ReceiveDeps, 'database' | 'now' | 'newId' | 'onPaused' | 'onError'>

/** Each delivery may have a megabyte of content. */
const batchMax = 32
const lanes = 2

/**
 * Records requests with what became of them. Those that arrive at the same time are recorded together: all requests to one webhook change the row of its
 * trigger, so that each by itself would wait for the commit of the one before.
 */
export function createDeliveryRecorder(deps: RecordDeps): RecordDelivery {
  const record = createBatcher<NewDelivery, undefined>({
    async load(deliveries) {
      await recordTogether(deps, deliveries)
      return deliveries.map(() => undefined)
    },
    lanes,
    keysMax: batchMax,
    // Whatever makes one delivery fail is no reason to lose the others.
    isOfKey: () => true,
  })
  return async ({ id: triggerId, accountId }, delivery) => {
    try {
      await record({ id: deps.newId(), accountId, triggerId, at: new Date(deps.now()), ...delivery })
    } catch (error) {
      // The start is durable, so the sender gets its response; only the list of deliveries lacks this one.
      deps.onError(error)
    }
  }
}

async function recordTogether({ database, now, onPaused }: RecordDeps, deliveries: readonly NewDelivery[]): Promise<void> {
  await database.system.transaction().execute(async (tx) => {
    await insertDeliveries(tx, deliveries)
    const repeated = await repeatedOf(tx, deliveries)
    const results = deliveries.flatMap((delivery) => resultOf(delivery, repeated.has(delivery.id)))
    const { paused } = await recordResults(tx, new Date(now()), results)
    for (const trigger of paused) await onPaused(tx, trigger)
  })
}

async function repeatedOf(tx: Tx, deliveries: readonly NewDelivery[]): Promise<ReadonlySet<string>> {
  const failed = deliveries.filter(({ outcome, test }) => outcome === 'failed' && !test).map(({ id }) => id)
  if (failed.length === 0) return new Set()
  // Repetitions that another transaction is recording are visible once it has ended.
  await awaitTriggers(tx, [...new Set(deliveries.map(({ triggerId }) => triggerId))])
  return findRepeatedFailures(tx, failed)
}

/**
 * What a request says about its trigger: those to a test URL, and those that were refused, say nothing. What a sender repeats because it failed counts
 * once a day, so that no sender can pause a webhook by one delivery.
 */
function resultOf(delivery: NewDelivery, isRepeated: boolean): readonly StartResult[] {
  const { accountId, triggerId, outcome, test, executionId, reason, counts = true } = delivery
  if (test) return []
  if (outcome === 'started') return [{ accountId, triggerId, executionId, error: undefined }]
  return outcome === 'failed'
    ? [{ accountId, triggerId, executionId: undefined, error: reason, countsTowardsPause: counts && !isRepeated }]
    : []
}
