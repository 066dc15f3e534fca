import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { PublishRequest } from '#modules/workflows/model.ts'

type Executor = Kysely<Rows>

/** Keeps the request for the publication of a workflow in place of an earlier one. */
export async function putRequest(
  executor: Executor,
  accountId: string,
  workflowId: string,
  { checksum, note, requestedAt, requestedBy }: PublishRequest,
): Promise<void> {
  await sql`
    insert into workflow_publish_requests (workflow_id, account_id, checksum, note, requested_at, requested_by)
    values (${workflowId}, ${accountId}, ${checksum}, ${note ?? null}, ${requestedAt}, ${requestedBy})
    on conflict (workflow_id) do update
      set checksum = excluded.checksum, note = excluded.note, requested_at = excluded.requested_at, requested_by = excluded.requested_by`.execute(
    executor,
  )
}

export async function deleteRequest(executor: Executor, accountId: string, workflowId: string): Promise<void> {
  await sql`delete from workflow_publish_requests where account_id = ${accountId} and workflow_id = ${workflowId}`.execute(executor)
}
