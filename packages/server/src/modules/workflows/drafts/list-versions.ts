import { type Kysely, sql } from 'kysely'
import * as z from 'zod'
import type { Rows } from '#platform/db/rows.ts'
import { decodeCursor, encodeCursor, pageOf } from '#platform/paging/cursor.ts'

/** A published version as a list shows it. */
export interface VersionSummary {
  readonly number: number
  readonly documentVersion: string
  readonly note: string | undefined
  /** The last earlier version with the same definition. */
  readonly restores: number | undefined
  readonly publishedAt: Date
  readonly publishedBy: string
}

interface SummaryRow {
  readonly number: number
  readonly document_version: string
  readonly note: string | null
  readonly restores: number | null
  readonly created_at: Date
  readonly created_by: string
}

const versionCursor = z.tuple([z.literal('version'), z.int()])

/** A page of the versions of a workflow, newest first. */
export async function listVersions(
  executor: Kysely<Rows>,
  accountId: string,
  workflowId: string,
  { limit, cursor }: { readonly limit: number; readonly cursor: string | undefined },
) {
  const before = cursor === undefined ? undefined : decodeCursor(cursor, versionCursor)[1]
  const beyond = before === undefined ? sql`true` : sql`number < ${before}`
  const { rows } = await sql<SummaryRow>`
    select * from (
      select number, document_version, note, created_at, created_by, lag(number) over (partition by checksum order by number) as restores
      from workflow_versions where account_id = ${accountId} and workflow_id = ${workflowId} and number > 0
    ) v where ${beyond} order by number desc limit ${limit + 1}`.execute(executor)
  return pageOf(rows.map(summaryOf), limit, (last) => encodeCursor(['version', last.number]))
}

function summaryOf(row: SummaryRow): VersionSummary {
  return {
    number: row.number,
    documentVersion: row.document_version,
    note: row.note ?? undefined,
    restores: row.restores ?? undefined,
    publishedAt: row.created_at,
    publishedBy: row.created_by,
  }
}
