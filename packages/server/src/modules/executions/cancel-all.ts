import type { Engine } from '@millrace/engine'
import { findUncancelledExecutions } from '@millrace/engine/storage'
import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

const batchSize = 50

/** Requests the cancellation of all unfinished executions of an account, a batch at a time. */
export async function cancelAllExecutions(engine: Pick<Engine, 'cancel'>, executor: Kysely<Rows>, accountId: string): Promise<void> {
  for (;;) {
    const ids = await findUncancelledExecutions(executor, accountId, batchSize)
    if (ids.length === 0) return
    await Promise.all(ids.map((id) => engine.cancel(accountId, id)))
  }
}
