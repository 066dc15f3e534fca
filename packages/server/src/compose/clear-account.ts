import type { Engine } from '@millrace/engine'
import { cancelAllExecutions } from '#modules/executions/index.ts'
import type { IdentityDeps } from '#modules/identity/index.ts'
import { deleteAllWorkflows } from '#modules/workflows/index.ts'
import type { Database } from '#platform/db/database.ts'
import { noteDeletion } from './purge-accounts.ts'
import type { System } from './system.ts'

export interface ClearAccountDeps {
  readonly engine: Pick<Engine, 'cancel'>
  readonly database: Pick<Database, 'system'>
  readonly system: Pick<System, 'now'>
}

/** Makes what ends an account's work before the account goes: nothing starts any more, and what runs is cancelled. */
export function createClearAccount({ engine, database, system }: ClearAccountDeps): NonNullable<IdentityDeps['clearAccount']> {
  return async (tx, accountId) => {
    const at = new Date(system.now())
    await deleteAllWorkflows(tx, accountId, { at, by: 'system:account-deletion' })
    await noteDeletion(tx, accountId, at)
    // The engine commits by itself: should the deletion fail after all, work is cancelled that would have gone on.
    await cancelAllExecutions(engine, database.system, accountId)
  }
}
