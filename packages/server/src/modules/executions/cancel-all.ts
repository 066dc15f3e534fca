import type { Engine } from '@millrace/engine'
import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { findUnfinished } from './store.ts'

const atATime = 50

/** Cancels everything that an account runs, few at a time; returns when the engine has been told of all. */
export async function cancelAllExecutions(engine: Pick<Engine, 'cancel'>, executor: Kysely<Rows>, accountId: string): Promise<void> {
  for (;;) {
    const ids = await findUnfinished(executor, accountId, atATime)
    if (ids.length === 0) return
    await Promise.all(ids.map((id) => engine.cancel(accountId, id)))
  }
}
