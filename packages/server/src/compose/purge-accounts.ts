import type { Engine } from '@millrace/engine'
import { deleteDeadLettersOf, deleteEndedExecutions, hasUnfinishedExecutions } from '@millrace/engine/storage'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { deleteEventsOf } from '#modules/events/index.ts'
import { purgeApprovals } from '#modules/approvals/index.ts'
import { cancelAllExecutions } from '#modules/executions/index.ts'
import { purgeWorkflows } from '#modules/workflows/index.ts'

export interface PurgeDeps {
  readonly db: Kysely<Rows>
  readonly engine: Pick<Engine, 'cancel'>
}

const accountsMax = 10
const rowsMax = 500
/** One pass deletes at most so many times `rowsMax` executions, so that other chores get their turn. */
const batchesMax = 200

/** Puts down, in the transaction that deletes an account, that its work is to be deleted too. */
export async function noteDeletion(tx: Transaction<Rows>, accountId: string, at: Date): Promise<void> {
  await sql`insert into deleted_accounts (id, deleted_at) values (${accountId}, ${at})`.execute(tx)
}

/** Deletes what accounts that are gone have left: executions and their journals once all have ended, then workflows and versions. */
export async function purgeDeletedAccounts(deps: PurgeDeps): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from deleted_accounts order by deleted_at limit ${accountsMax}`.execute(deps.db)
  for (const { id } of rows) await purgeAccount(deps, id)
}

async function purgeAccount({ db, engine }: PurgeDeps, accountId: string): Promise<void> {
  // A start that was under way while the account was deleted may have come after its cancellation.
  await cancelAllExecutions(engine, db, accountId)
  // A parent may yet look at its children, so none goes before all have ended.
  if (await hasUnfinishedExecutions(db, accountId)) return
  let deleted = rowsMax
  for (let batch = 0; batch < batchesMax && deleted === rowsMax; batch++) deleted = await deleteEndedExecutions(db, accountId, rowsMax)
  if (deleted === rowsMax) return
  let left = true
  for (let batch = 0; batch < batchesMax && left; batch++) left = (await deleteEventsOf(db, accountId, rowsMax)) > 0
  if (left) return
  await db.transaction().execute(async (tx) => {
    await deleteDeadLettersOf(tx, accountId)
    await purgeApprovals(tx, accountId)
    await purgeWorkflows(tx, accountId)
    await sql`delete from deleted_accounts where id = ${accountId}`.execute(tx)
  })
}
