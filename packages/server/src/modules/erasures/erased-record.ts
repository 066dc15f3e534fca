import { erasureMarksIn } from '@millrace/contract/transparency'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

type Executor = Kysely<Rows>

/** What an erasure left of an execution. */
export interface ErasedExecution {
  readonly erasureId: string
  readonly at: Date
  /** The event of the audit log that has the digests of what remains; undefined until it is written, and for what was erased before such events. */
  readonly attestedBy: string | undefined
}

interface OfErasure {
  readonly accountId: string
  readonly id: string
}

/** The next executions of an erasure of which what remains is not attested. */
export async function listUnattested(db: Executor, { accountId, id }: OfErasure, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly execution_id: string }>`
    select execution_id from privacy_erased_executions
    where account_id = ${accountId} and erasure_id = ${id} and attested_by is null order by execution_id limit ${limit}`.execute(db)
  return rows.map((row) => row.execution_id)
}

export async function noteAttested(
  tx: Executor,
  { accountId, id }: OfErasure,
  { executionId, event }: { readonly executionId: string; readonly event: string },
): Promise<void> {
  await sql`
    update privacy_erased_executions set attested_by = ${event}
    where account_id = ${accountId} and erasure_id = ${id} and execution_id = ${executionId}`.execute(tx)
}

/**
 * The last erasure of data in an execution. What was erased before executions were noted is known by its marks, where the account has an erasure of
 * that time that makes them: a text that only looks like a mark is not one.
 */
export async function findErased(
  db: Executor,
  accountId: string,
  {
    id,
    createdAt,
    input,
    output,
  }: { readonly id: string; readonly createdAt: Date; readonly input: string; readonly output: string | undefined },
): Promise<ErasedExecution | undefined> {
  const { rows } = await sql<{ readonly erasure_id: string; readonly erased_at: Date; readonly attested_by: string | null }>`
    select erasure_id, erased_at, attested_by from privacy_erased_executions
    where account_id = ${accountId} and execution_id = ${id} order by erased_at desc limit 1`.execute(db)
  const [noted] = rows
  if (noted !== undefined) return { erasureId: noted.erasure_id, at: noted.erased_at, attestedBy: noted.attested_by ?? undefined }
  const marks = erasureMarksIn(`${input} ${output ?? ''}`)
  if (marks.length === 0) return undefined
  const { rows: erasures } = await sql<{ readonly id: string; readonly at: Date }>`
    select e.id, coalesce(e.ended_at, e.updated_at) as at from privacy_erasures e
    where e.account_id = ${accountId} and right(e.id::text, 8) = any(${[...marks]}::text[]) and e.requested_at >= ${createdAt}
      and not e.notes_executions
    order by e.requested_at desc limit 1`.execute(db)
  return erasures[0] === undefined ? undefined : { erasureId: erasures[0].id, at: erasures[0].at, attestedBy: undefined }
}

/** Whether an erasure has noted that it replaced data of an execution of any account. */
export async function hasErasure(db: Executor, executionId: string): Promise<boolean> {
  const { rows } = await sql<{ readonly erased: boolean }>`
    select exists (select from privacy_erased_executions where execution_id = ${executionId}) as erased`.execute(db)
  return rows[0]?.erased === true
}
