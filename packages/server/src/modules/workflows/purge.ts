import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

/** Deletes an account's workflows with all versions; none of its executions may be left, since they are pinned to those. */
export async function purgeWorkflows(executor: Kysely<Rows>, accountId: string): Promise<void> {
  await sql`delete from workflow_publish_requests where account_id = ${accountId}`.execute(executor)
  await sql`delete from workflow_drafts where account_id = ${accountId}`.execute(executor)
  await sql`delete from workflow_versions where account_id = ${accountId}`.execute(executor)
  await sql`delete from workflows where account_id = ${accountId}`.execute(executor)
}
