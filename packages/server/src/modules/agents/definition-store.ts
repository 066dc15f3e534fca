import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

type Executor = Kysely<Rows>

/** Finds the workflow of a compiled definition, one request of the account at a time. */
export async function lockDefinition(tx: Executor, accountId: string, digest: string): Promise<string | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended('agents/' || ${accountId}, 0))`.execute(tx)
  const { rows } = await sql<{ readonly workflow_id: string }>`
    select workflow_id from agent_definitions where account_id = ${accountId} and digest = ${digest}`.execute(tx)
  return rows[0]?.workflow_id
}

export async function insertDefinition(
  tx: Executor,
  accountId: string,
  { digest, workflowId, at }: { readonly digest: string; readonly workflowId: string; readonly at: Date },
): Promise<void> {
  await sql`
    insert into agent_definitions (account_id, digest, workflow_id, created_at) values (${accountId}, ${digest}, ${workflowId}, ${at})`.execute(
    tx,
  )
}

/** Forgets the oldest definitions beyond a number, and returns their workflows. */
export async function forgetOldest(tx: Executor, accountId: string, keep: number): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly workflow_id: string }>`
    delete from agent_definitions where account_id = ${accountId} and digest in (
      select digest from agent_definitions where account_id = ${accountId} order by created_at desc offset ${keep})
    returning workflow_id`.execute(tx)
  return rows.map(({ workflow_id: id }) => id)
}
