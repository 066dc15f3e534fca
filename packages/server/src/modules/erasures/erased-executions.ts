import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

type Executor = Kysely<Rows>

interface OfErasure {
  readonly accountId: string
  readonly id: string
}

/** Notes that an erasure has replaced data of executions, in the transaction that replaces it. What remains of them is attested again. */
export async function noteErased(
  tx: Executor,
  { accountId, id }: OfErasure,
  { executions, isInput, at }: { readonly executions: readonly string[]; readonly isInput: boolean; readonly at: Date },
): Promise<void> {
  if (executions.length === 0) return
  await sql`
    insert into privacy_erased_executions as e (account_id, execution_id, erasure_id, erased_at, in_input)
    select distinct ${accountId}::uuid, execution, ${id}::uuid, ${at}::timestamptz, ${isInput}::boolean
    from unnest(${[...executions]}::uuid[]) execution
    on conflict (account_id, execution_id, erasure_id)
      do update set erased_at = excluded.erased_at, in_input = e.in_input or excluded.in_input, attested_by = null`.execute(tx)
}

/** The next executions of an erasure after an id. */
export async function listErased(
  db: Executor,
  { accountId, id }: OfErasure,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<readonly { readonly executionId: string; readonly isInput: boolean }[]> {
  const { rows } = await sql<{ readonly execution_id: string; readonly in_input: boolean }>`
    select execution_id, in_input
    from privacy_erased_executions
    where account_id = ${accountId} and erasure_id = ${id} ${after === undefined ? sql`` : sql`and execution_id > ${after}`}
    order by execution_id limit ${limit}`.execute(db)
  return rows.map((row) => ({ executionId: row.execution_id, isInput: row.in_input }))
}
