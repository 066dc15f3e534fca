import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

type Executor = Kysely<Rows>

/** Finds the workflow of a compiled definition and notes its use, one request of the account at a time. */
export async function useDefinition(tx: Executor, accountId: string, digest: string, at: Date): Promise<string | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended('agents/' || ${accountId}, 0))`.execute(tx)
  const { rows } = await sql<{ readonly workflow_id: string }>`
    update agent_definitions set used_at = ${at} where account_id = ${accountId} and digest = ${digest} returning workflow_id`.execute(tx)
  return rows[0]?.workflow_id
}

export async function insertDefinition(
  tx: Executor,
  accountId: string,
  { digest, workflowId, at }: { readonly digest: string; readonly workflowId: string; readonly at: Date },
): Promise<void> {
  await sql`
    insert into agent_definitions (account_id, digest, workflow_id, created_at, used_at)
    values (${accountId}, ${digest}, ${workflowId}, ${at}, ${at})`.execute(tx)
}

/** Forgets the definitions that were used longest ago beyond a number, and returns their workflows: what was found a moment ago stays. */
export async function forgetUnused(tx: Executor, accountId: string, keep: number): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly workflow_id: string }>`
    delete from agent_definitions where account_id = ${accountId} and digest in (
      select digest from agent_definitions where account_id = ${accountId} order by used_at desc offset ${keep})
    returning workflow_id`.execute(tx)
  return rows.map(({ workflow_id: id }) => id)
}
