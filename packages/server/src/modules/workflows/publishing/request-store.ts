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

/** @returns the request, if there was one. */
export async function deleteRequest(
  executor: Executor,
  accountId: string,
  workflowId: string,
): Promise<Pick<PublishRequest, 'checksum' | 'requestedBy'> | undefined> {
  const { rows } = await sql<{ readonly checksum: string; readonly requested_by: string }>`
    delete from workflow_publish_requests where account_id = ${accountId} and workflow_id = ${workflowId}
    returning checksum, requested_by`.execute(executor)
  return rows[0] && { checksum: rows[0].checksum, requestedBy: rows[0].requested_by }
}

export interface OpenRequest {
  readonly workflowId: string
  readonly workflowName: string
  readonly request: PublishRequest
  /** Whether the draft is still the one that was asked for. */
  readonly isCurrent: boolean
}

interface OpenRequestRow {
  readonly workflow_id: string
  readonly name: string
  readonly checksum: string
  readonly note: string | null
  readonly requested_at: Date
  readonly requested_by: string
  readonly is_current: boolean
}

/** The requests of an account for drafts that are not published, the newest first, at most `limit`. */
export async function listRequests(executor: Executor, accountId: string, limit: number): Promise<readonly OpenRequest[]> {
  const { rows } = await sql<OpenRequestRow>`
    select r.workflow_id, w.name, r.checksum, r.note, r.requested_at, r.requested_by, r.checksum = w.checksum and d.workflow_id is null as is_current
    from workflow_publish_requests r join workflows w on w.id = r.workflow_id left join workflow_drafts d on d.workflow_id = w.id
    where r.account_id = ${accountId} and w.deleted_at is null and (d.workflow_id is not null or w.checksum is distinct from w.latest_checksum)
    order by r.requested_at desc, r.workflow_id limit ${limit}`.execute(executor)
  return rows.map((row) => ({
    workflowId: row.workflow_id,
    workflowName: row.name,
    request: { checksum: row.checksum, note: row.note ?? undefined, requestedAt: row.requested_at, requestedBy: row.requested_by },
    isCurrent: row.is_current,
  }))
}
