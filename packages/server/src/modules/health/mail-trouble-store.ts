import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

type Executor = Kysely<Rows>

/** Attempts to send mails that failed in a row. */
export interface MailTrouble {
  readonly since: Date
  readonly failures: number
  /** Of the last one. */
  readonly reason: string
}

/** Counts a failed attempt, and locks the row until the transaction ends. */
export async function insertFailure(
  tx: Executor,
  reason: string,
  at: Date,
): Promise<MailTrouble & { readonly noticedAt: Date | undefined }> {
  const { rows } = await sql<{ readonly since: Date; readonly failures: number; readonly noticed_at: Date | null }>`
    insert into mail_trouble as t (since, failures, reason, failed_at) values (${at}, 1, ${reason}, ${at})
    on conflict (id) do update set failures = t.failures + 1, reason = excluded.reason, failed_at = excluded.failed_at
    returning since, failures, noticed_at`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('a failed mail was not counted')
  return { since: row.since, failures: row.failures, reason, noticedAt: row.noticed_at ?? undefined }
}

export async function recordNotice(tx: Executor, at: Date): Promise<void> {
  await sql`update mail_trouble set noticed_at = ${at}`.execute(tx)
}

export async function deleteTrouble(db: Executor): Promise<void> {
  await sql`delete from mail_trouble`.execute(db)
}

export async function findTrouble(db: Executor): Promise<MailTrouble | undefined> {
  const { rows } = await sql<MailTrouble>`select since, failures, reason from mail_trouble`.execute(db)
  return rows[0]
}
