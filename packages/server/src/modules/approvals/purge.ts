import { sql } from 'kysely'
import type { Executor } from './store.ts'

/** Deletes the approvals of an account, with their mails and answers. */
export async function purgeApprovals(executor: Executor, accountId: string): Promise<void> {
  await sql`delete from approvals where account_id = ${accountId}`.execute(executor)
}
