import { Fault } from '@millrace/contract'
import { searchExecutions, type SearchExecutionsOptions } from '@millrace/engine/storage'
import type { Tx } from '#platform/http/index.ts'
import { fromTypeId } from '#platform/ids.ts'
import { decodeId, encodeCursor } from '#platform/paging/cursor.ts'
import { type ListDeps, type ListedExecution, listedExecutions } from './listed-executions.ts'

export interface SearchDeps extends ListDeps {
  readonly versionQuery: string
  readonly findWorkflowNames: (tx: Tx, accountId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** Ids of workflows whose name contains a text, at most 100. */
  readonly findWorkflowsByName: (tx: Tx, accountId: string, part: string) => Promise<readonly string[]>
}

export interface SearchRequest extends Omit<SearchExecutionsOptions, 'before' | 'text' | 'versionQuery'> {
  readonly cursor: string | undefined
  readonly text: string | undefined
}

export interface SearchedExecution extends ListedExecution {
  /** Undefined for a workflow that was deleted for good. */
  readonly workflowName: string | undefined
}

/** A page of the executions of an account. It may have fewer than `limit`, although there is a next page. */
export async function searchPage(
  deps: SearchDeps,
  tx: Tx,
  accountId: string,
  { cursor, text, limit, ...filters }: SearchRequest,
): Promise<{ readonly data: readonly SearchedExecution[]; readonly nextCursor: string | null }> {
  const { from, to } = filters
  if (from !== undefined && to !== undefined && from >= to)
    throw new Fault('request_invalid', { errors: [{ pointer: '/to', detail: 'Must be later than `from`.', in: 'query' }] })
  const words =
    text === undefined
      ? undefined
      : { part: text, executionId: fromTypeId('exec', text), workflowIds: await deps.findWorkflowsByName(tx, accountId, text) }
  const options = { ...filters, before: decodeId(cursor), text: words, limit: limit + 1, versionQuery: deps.versionQuery }
  const { found, examinedTo } = await searchExecutions(tx, accountId, options)
  const page = found.slice(0, limit)
  const names = await deps.findWorkflowNames(tx, accountId, [...new Set(page.map(({ workflowId }) => workflowId))])
  const listed = await listedExecutions(deps, tx, accountId, page)
  const last = found.length > limit ? page.at(-1)?.id : examinedTo
  return {
    data: listed.map((each) => ({ ...each, workflowName: names.get(each.execution.workflowId) })),
    nextCursor: last === undefined ? null : encodeCursor([last]),
  }
}
