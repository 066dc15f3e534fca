import type { Engine } from '@millrace/engine'
import { deleteDeadLettersOf, deleteEndedExecutions, hasUnfinishedExecutions } from '@millrace/engine/storage'
import type { Transaction } from 'kysely'
import { type AccountDeletion, createAccountDeletion } from '#modules/accounts/index.ts'
import { deleteApprovalsOf } from '#modules/approvals/index.ts'
import { deleteDeliveriesAndEventsOf } from '#modules/events/index.ts'
import { cancelAllExecutions } from '#modules/executions/index.ts'
import { deleteAllWorkflows, purgeWorkflows } from '#modules/workflows/index.ts'
import type { Database } from '#platform/db/database.ts'
import type { Rows } from '#platform/db/rows.ts'
import type { System } from './system.ts'

export interface AccountParts {
  readonly engine: Pick<Engine, 'cancel'>
  readonly database: Pick<Database, 'system'>
  readonly system: Pick<System, 'now'>
  /** Deletes the rows that further areas have of an account. */
  readonly purge?: (tx: Transaction<Rows>, accountId: string) => Promise<void>
}

/** The deletion of accounts, with every module that has data of them. */
export function composeAccountDeletion({ engine, database: { system: db }, system: { now }, purge }: AccountParts): AccountDeletion {
  return createAccountDeletion({
    db,
    now,
    data: {
      stop: (tx, accountId, at) => deleteAllWorkflows(tx, accountId, { at, by: 'system:account-deletion' }),
      cancelExecutions: (accountId) => cancelAllExecutions(engine, db, accountId),
      hasUnfinishedExecutions: (accountId) => hasUnfinishedExecutions(db, accountId),
      batches: [
        (accountId, limit) => deleteEndedExecutions(db, accountId, limit),
        (accountId, limit) => deleteDeliveriesAndEventsOf(db, accountId, limit),
      ],
      async rest(tx, accountId) {
        await deleteDeadLettersOf(tx, accountId)
        await deleteApprovalsOf(tx, accountId)
        await purge?.(tx, accountId)
        await purgeWorkflows(tx, accountId)
      },
    },
  })
}
