import type { JsonValue } from '@millrace/contract'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

type Executor = Kysely<Rows>

/** Inputs and outputs with which a workflow is tested. */
export interface Samples {
  readonly input?: JsonValue | undefined
  readonly tasks: Readonly<Record<string, { readonly input?: JsonValue | undefined; readonly output?: JsonValue | undefined }>>
}

export async function findSamples(tx: Executor, accountId: string, workflowId: string): Promise<Samples> {
  const { rows } = await sql<{ readonly samples: string }>`
    select samples::text as samples from workflow_samples where account_id = ${accountId} and workflow_id = ${workflowId}`.execute(tx)
  return rows[0] === undefined ? { tasks: {} } : JSON.parse(rows[0].samples)
}

export async function putSamples(
  tx: Executor,
  accountId: string,
  workflowId: string,
  samples: Samples,
  { at, by }: { readonly at: Date; readonly by: string },
): Promise<void> {
  const json = JSON.stringify(samples)
  await sql`
    insert into workflow_samples (workflow_id, account_id, samples, updated_at, updated_by)
    values (${workflowId}, ${accountId}, ${json}::text::json, ${at}, ${by})
    on conflict (workflow_id) do update set samples = excluded.samples, updated_at = excluded.updated_at, updated_by = excluded.updated_by`.execute(
    tx,
  )
}

/** Deletes the samples of a deleted account. */
export async function deleteSamplesOf(db: Executor, accountId: string): Promise<void> {
  await sql`delete from workflow_samples where account_id = ${accountId}`.execute(db)
}
