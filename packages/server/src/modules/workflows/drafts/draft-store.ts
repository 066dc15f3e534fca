import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { InvalidDraft } from '#modules/workflows/model.ts'
import type { Authorship } from '#modules/workflows/store.ts'

type Executor = Kysely<Rows>

/** Keeps a draft that is not valid, and counts the change of its workflow. */
export async function keepInvalidDraft(
  executor: Executor,
  accountId: string,
  workflowId: string,
  { source, syntax }: InvalidDraft,
  { at, by }: Authorship,
): Promise<void> {
  await sql`
    insert into workflow_drafts (workflow_id, account_id, source, syntax, updated_at, updated_by)
    values (${workflowId}, ${accountId}, ${source}, ${syntax}, ${at}, ${by})
    on conflict (workflow_id) do update
      set source = excluded.source, syntax = excluded.syntax, updated_at = excluded.updated_at, updated_by = excluded.updated_by`.execute(
    executor,
  )
  await sql`
    update workflows set revision = revision + 1, updated_at = ${at}, updated_by = ${by}
    where account_id = ${accountId} and id = ${workflowId}`.execute(executor)
}

export async function dropInvalidDraft(executor: Executor, accountId: string, workflowId: string): Promise<void> {
  await sql`delete from workflow_drafts where account_id = ${accountId} and workflow_id = ${workflowId}`.execute(executor)
}
