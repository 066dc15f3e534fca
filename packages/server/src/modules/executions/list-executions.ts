import {
  type ExecutionSummary,
  type LabelFilter,
  listExecutions,
  type ListExecutionsOptions,
  searchExecutions,
} from '@millrace/engine/storage'
import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'

export interface ListOptions extends Omit<ListExecutionsOptions, 'before'> {
  readonly cursor: string | undefined
  /** An execution must have all of them. */
  readonly labels?: readonly LabelFilter[]
}

/** A page of the executions of a workflow that satisfy all given filters, newest first. */
export async function pageOfExecutions(
  executor: Kysely<Rows>,
  accountId: string,
  workflowId: string,
  { cursor, limit, labels = [], ...options }: ListOptions,
): Promise<{ data: ExecutionSummary[]; nextCursor: string | null }> {
  if (labels.length > 0) return pageOfLabelled(executor, accountId, workflowId, { cursor, limit, labels, ...options })
  const rows = await listExecutions(executor, accountId, workflowId, { ...options, before: decodeId(cursor), limit: limit + 1 })
  return pageOf(rows, limit, (last) => encodeCursor([last.id]))
}

/** The executions with the labels, of which those of the workflow are kept: a page may have fewer than `limit`. */
async function pageOfLabelled(
  executor: Kysely<Rows>,
  accountId: string,
  workflowId: string,
  { cursor, limit, labels = [], state, trigger, from, to, versionQuery }: ListOptions,
): Promise<{ data: ExecutionSummary[]; nextCursor: string | null }> {
  const { found, examinedTo } = await searchExecutions(executor, accountId, {
    limit: limit + 1,
    before: decodeId(cursor),
    states: state === undefined ? [] : [state],
    workflowId,
    triggers: trigger === undefined ? [] : [trigger],
    errorType: undefined,
    causedBy: undefined,
    from,
    to,
    text: undefined,
    labels,
    needsAttention: false,
    versionQuery,
  })
  const { data, nextCursor } = pageOf(found, limit, (last) => encodeCursor([last.id]))
  return { data, nextCursor: nextCursor ?? (examinedTo === undefined ? null : encodeCursor([examinedTo])) }
}
