import { latestExecutionQuery } from '@millrace/engine/storage'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import * as z from 'zod'
import type { Rows } from '#platform/db/rows.ts'
import { decodeCursor, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import type { TriggerKind, WorkflowHead, WorkflowState } from './model.ts'
import { headColumns, headOf, type HeadRow, lastExecutionJoin } from './store.ts'

type Executor = Kysely<Rows>

export interface ListOptions {
  readonly limit: number
  readonly cursor: string | undefined
  readonly state: WorkflowState | undefined
  readonly tag: string | undefined
  readonly trigger: TriggerKind | undefined
  readonly text: string | undefined
  /** `namespace/name` of the document. */
  readonly document?: string | undefined
  /** Only these; managed ones are then listed as well. */
  readonly ids?: readonly string[] | undefined
  readonly sort: 'created' | 'name' | 'lastExecution'
}

interface Page {
  readonly data: WorkflowHead[]
  readonly nextCursor: string | null
}

/** A page of the workflows that match all given filters. */
export function listWorkflows(executor: Executor, accountId: string, options: ListOptions): Promise<Page> {
  return pagers[options.sort](executor, accountId, options)
}

const tagsMax = 1000

/** The tags of the workflows of the account, each with the number of workflows that have it. */
export async function listTags(
  executor: Executor,
  accountId: string,
): Promise<readonly { readonly tag: string; readonly workflows: number }[]> {
  const { rows } = await sql<{ readonly tag: string; readonly workflows: number }>`
    select tag, count(distinct w.id)::int4 as workflows from workflows w, unnest(w.tags) as tag
    where w.account_id = ${accountId} and w.deleted_at is null and w.managed_by is null
    group by tag order by lower(tag), tag limit ${tagsMax}`.execute(executor)
  return rows
}

const pagers = { created: byCreation, name: byName, lastExecution: byLastExecution } as const

const creationCursor = z.tuple([z.literal('created'), z.uuid()])

async function byCreation(executor: Executor, accountId: string, options: ListOptions): Promise<Page> {
  const after = options.cursor === undefined ? undefined : decodeCursor(options.cursor, creationCursor)[1]
  const beyond = after === undefined ? sql`true` : sql`w.id < ${after}`
  const order = sql`w.id desc`
  const rows = await page(executor, { where: sql`${filters(accountId, options)} and ${beyond}`, order, limit: options.limit })
  return pageOf(rows.map(headOf), options.limit, (last) => encodeCursor(['created', last.id]))
}

const nameCursor = z.tuple([z.literal('name'), z.string(), z.uuid()])
const nameKey = sql`lower(w.name) collate "C"`

async function byName(executor: Executor, accountId: string, options: ListOptions): Promise<Page> {
  const after = options.cursor === undefined ? undefined : decodeCursor(options.cursor, nameCursor)
  // The name is lowered by the database both times: JavaScript and PostgreSQL differ over some letters.
  const beyond = after === undefined ? sql`true` : sql`(${nameKey}, w.id) > (lower(${after[1]}) collate "C", ${after[2]})`
  const order = sql`${nameKey}, w.id`
  const rows = await page(executor, { where: sql`${filters(accountId, options)} and ${beyond}`, order, limit: options.limit })
  return pageOf(rows.map(headOf), options.limit, (last) => encodeCursor(['name', last.name, last.id]))
}

/** Only the rows of the page look for their last execution: the limit stands inside. */
async function page(
  executor: Executor,
  { where, order, limit }: { readonly where: RawBuilder<unknown>; readonly order: RawBuilder<unknown>; readonly limit: number },
): Promise<HeadRow[]> {
  const { rows } = await sql<HeadRow>`
    select ${headColumns}
    from (select * from workflows w where ${where} order by ${order} limit ${limit + 1}) w ${lastExecutionJoin}
    order by ${order}`.execute(executor)
  return rows
}

const lastExecutionCursor = z.tuple([z.literal('lastExecution'), z.uuid(), z.uuid().nullable(), z.uuid()])

/**
 * Finds the last execution of every workflow of the account, by one index descent each. The first page fixes the newest execution that
 * counts, so that a workflow which runs between two pages is neither skipped nor repeated.
 */
async function byLastExecution(executor: Executor, accountId: string, options: ListOptions): Promise<Page> {
  const after = options.cursor === undefined ? undefined : decodeCursor(options.cursor, lastExecutionCursor)
  const { rows } = await sql<HeadRow>`
    select ${headColumns}
    from workflows w left join lateral (${latestExecutionQuery(sql`w.id`, after?.[1])}) e on true
    where ${filters(accountId, options)} and ${beyondExecution(after)}
    order by e.id desc nulls last, w.id desc limit ${options.limit + 1}`.execute(executor)
  const upTo = after?.[1] ?? rows[0]?.execution_id ?? greatestUuid
  return pageOf(rows.map(headOf), options.limit, (last) => encodeCursor(['lastExecution', upTo, last.lastExecution?.id ?? null, last.id]))
}

const greatestUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

function beyondExecution(after: z.output<typeof lastExecutionCursor> | undefined): RawBuilder<unknown> {
  if (after === undefined) return sql`true`
  const [, , executionId, workflowId] = after
  if (executionId === null) return sql`(e.id is null and w.id < ${workflowId})`
  return sql`(e.id is null or (e.id, w.id) < (${executionId}, ${workflowId}))`
}

function filters(accountId: string, { state, tag, trigger, text, document, ids }: ListOptions): RawBuilder<unknown> {
  const conditions = [sql`w.account_id = ${accountId} and w.deleted_at is null`]
  conditions.push(ids === undefined ? sql`w.managed_by is null` : sql`w.id = any(${[...ids]}::uuid[])`)
  if (state === 'disabled') conditions.push(sql`not w.enabled`)
  if (state === 'draft') conditions.push(sql`w.enabled and w.latest_number is null`)
  if (state === 'published') conditions.push(sql`w.enabled and w.latest_number is not null`)
  if (tag !== undefined) conditions.push(sql`${tag} = any(w.tags)`)
  if (trigger !== undefined) conditions.push(sql`${trigger} = any(w.triggers)`)
  if (document !== undefined) {
    const [namespace, name] = document.split('/')
    conditions.push(sql`w.namespace = ${namespace} and w.document_name = ${name}`)
  }
  if (text !== undefined) {
    const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    conditions.push(
      sql`(w.name ilike ${pattern} or w.description ilike ${pattern} or w.document_name ilike ${pattern} or w.document_title ilike ${pattern})`,
    )
  }
  return sql.join(conditions, sql` and `)
}
