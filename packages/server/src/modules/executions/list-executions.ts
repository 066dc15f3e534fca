import { type ExecutionSummary, listExecutions, type ListExecutionsOptions } from '@millrace/engine/storage'
import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'

export interface ListOptions extends Omit<ListExecutionsOptions, 'before'> {
  readonly cursor: string | undefined
}

/** A page of the executions of a workflow that satisfy all given filters, newest first. */
export async function pageOfExecutions(
  executor: Kysely<Rows>,
  accountId: string,
  workflowId: string,
  { cursor, limit, ...options }: ListOptions,
): Promise<{ data: ExecutionSummary[]; nextCursor: string | null }> {
  const rows = await listExecutions(executor, accountId, workflowId, { ...options, before: decodeId(cursor), limit: limit + 1 })
  return pageOf(rows, limit, (last) => encodeCursor([last.id]))
}
