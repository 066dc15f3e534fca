import { Fault } from '@millrace/contract'
import {
  type ExecutionSummary,
  labelNamesOf,
  type LabelValue,
  searchExecutions,
  type SearchExecutionsOptions,
} from '@millrace/engine/storage'
import * as z from 'zod'
import type { Tx } from '#platform/http/index.ts'
import { fromTypeId } from '#platform/ids.ts'
import { decodeCursor, encodeCursor } from '#platform/paging/cursor.ts'
import { type ListDeps, type ListedExecution, listedExecutions } from './listed-executions.ts'

export interface SearchDeps extends ListDeps {
  readonly versionQuery: string
  readonly findWorkflowNames: (tx: Tx, accountId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** Ids of workflows whose name contains a text, at most 100. */
  readonly findWorkflowsByName: (tx: Tx, accountId: string, part: string) => Promise<readonly string[]>
}

export interface SearchRequest extends Omit<SearchExecutionsOptions, 'before' | 'text' | 'labelled' | 'unlabelled' | 'versionQuery'> {
  readonly cursor: string | undefined
  readonly text: string | undefined
}

export interface SearchedExecution extends ListedExecution {
  /** Undefined for a workflow that was deleted for good. */
  readonly workflowName: string | undefined
}

type Page = { readonly data: readonly SearchedExecution[]; readonly nextCursor: string | null }

/**
 * A page of the executions of an account. It may have fewer than `limit`, although there is a next page. With a text, executions with the label that
 * it is come first, which an index finds however old they are; then those that have the text elsewhere.
 */
export async function searchPage(deps: SearchDeps, tx: Tx, accountId: string, request: SearchRequest): Promise<Page> {
  const { cursor, text, limit, ...filters } = request
  const { from, to } = filters
  if (from !== undefined && to !== undefined && from >= to)
    throw new Fault('request_invalid', { errors: [{ pointer: '/to', detail: 'Must be later than `from`.', in: 'query' }] })
  const position = positionOf(cursor)
  const byLabel = text === undefined ? undefined : await labelOf(tx, accountId, text)
  const search = (options: Pick<SearchExecutionsOptions, 'before' | 'text' | 'limit' | 'labelled' | 'unlabelled'>) =>
    searchExecutions(tx, accountId, { ...filters, ...options, versionQuery: deps.versionQuery })

  const labelled =
    byLabel !== undefined && !position.isBehindLabels
      ? await search({ before: position.before, text: undefined, limit: limit + 1, labelled: byLabel })
      : { found: [], examinedTo: undefined }
  if (labelled.found.length > limit || labelled.examinedTo !== undefined) {
    const page = labelled.found.slice(0, limit)
    const last = labelled.found.length > limit ? page.at(-1)?.id : labelled.examinedTo
    return pageOf(deps, tx, accountId, page, last === undefined ? null : encodeCursor(['label', last]))
  }

  const words =
    text === undefined
      ? undefined
      : { part: text, executionId: fromTypeId('exec', text), workflowIds: await deps.findWorkflowsByName(tx, accountId, text) }
  const rest = await search({
    before: position.isBehindLabels ? position.before : undefined,
    text: words,
    limit: limit + 1 - labelled.found.length,
    unlabelled: byLabel,
  })
  const found = [...labelled.found, ...rest.found]
  const page = found.slice(0, limit)
  return pageOf(deps, tx, accountId, page, cursorBehind(page, labelled.found.length, found.length > limit, rest.examinedTo))
}

/** Matches `order:4711`, `order: 4711` and `order 4711`. */
const nameAndValue = /^(?<name>[^:\s]+)(?::\s*|\s+)(?<value>\S.*)$/

/** The label that a text is: the whole value of one, or the name and the value of one; undefined if no execution has such a label. */
async function labelOf(tx: Tx, accountId: string, text: string): Promise<LabelValue | undefined> {
  const names = await labelNamesOf(tx, accountId, text)
  if (names.length > 0) return { names, value: text }
  const { name, value } = nameAndValue.exec(text)?.groups ?? {}
  if (name === undefined || value === undefined) return undefined
  const named = (await labelNamesOf(tx, accountId, value)).filter((found) => found.toLowerCase() === name.toLowerCase())
  return named.length === 0 ? undefined : { names: named, value }
}

function cursorBehind(page: readonly ExecutionSummary[], labelled: number, isMore: boolean, examinedTo: string | undefined): string | null {
  if (!isMore) return examinedTo === undefined ? null : encodeCursor([examinedTo])
  const last = page.at(-1)?.id
  if (last === undefined) return null
  // Behind the last label the others begin.
  return page.length > labelled ? encodeCursor([last]) : encodeCursor(['label', last])
}

const positions = z.union([z.tuple([z.uuid()]), z.tuple([z.literal('label'), z.uuid()])])

/** Where a page begins: among the executions with the label, or behind them. */
function positionOf(cursor: string | undefined): { readonly isBehindLabels: boolean; readonly before: string | undefined } {
  if (cursor === undefined) return { isBehindLabels: false, before: undefined }
  const position = decodeCursor(cursor, positions)
  return position.length === 1 ? { isBehindLabels: true, before: position[0] } : { isBehindLabels: false, before: position[1] }
}

async function pageOf(
  deps: SearchDeps,
  tx: Tx,
  accountId: string,
  page: readonly ExecutionSummary[],
  nextCursor: string | null,
): Promise<Page> {
  const names = await deps.findWorkflowNames(tx, accountId, [...new Set(page.map(({ workflowId }) => workflowId))])
  const listed = await listedExecutions(deps, tx, accountId, page)
  return { data: listed.map((each) => ({ ...each, workflowName: names.get(each.execution.workflowId) })), nextCursor }
}
