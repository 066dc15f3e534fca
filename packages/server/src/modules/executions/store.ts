import type { ErrorData, ExecutionState, Json } from '@millrace/engine'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import type { Execution, ExecutionHead, TriggerKind } from './model.ts'

type Executor = Kysely<Rows>

/** Columns of a list's row. */
export interface HeadRow {
  readonly id: string
  readonly workflow_id: string
  readonly version: number
  readonly state: ExecutionState
  readonly trigger: TriggerKind
  readonly created_at: Date
  readonly started_at: Date | null
  readonly ended_at: Date | null
  readonly error: string | null
}

export interface ExecutionRow extends HeadRow {
  readonly version_id: string
  readonly input: string
  readonly output: string | null
  readonly answer: string | null
  readonly retry_of: string | null
  readonly retried_by: string | null
}

export const headColumns = sql`e.id, e.workflow_id, v.number as version, e.state, e.trigger, e.created_at, e.started_at, e.ended_at, e.error`

/** Columns of an execution beside those of its head; the one that goes on from it is found in a table that holds retries alone. */
export const executionColumns = `e.version_id, e.input, e.output, e.answer, e.retry_of,
  (select r.execution_id from execution_retries r where r.retry_of = e.id) as retried_by`

/** The execution that a request with this key has started, and a digest of that request. */
export async function findByKey(
  executor: Executor,
  accountId: string,
  key: string,
): Promise<{ readonly id: string; readonly digest: string | null } | undefined> {
  const { rows } = await sql<{ id: string; digest: string | null }>`
    select execution_id as id, digest from execution_keys where account_id = ${accountId} and key = ${key}`.execute(executor)
  return rows[0]
}

/** Executions of an account that have not ended, at most `limit`. */
export async function findUnfinished(executor: Executor, accountId: string, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from executions
    where account_id = ${accountId} and state in ('pending', 'running', 'waiting', 'suspended') and cancel_requested_at is null
    limit ${limit}`.execute(executor)
  return rows.map(({ id }) => id)
}

export function headOf(row: HeadRow): ExecutionHead {
  return {
    id: row.id,
    workflowId: row.workflow_id,
    version: row.version,
    state: row.state,
    trigger: row.trigger,
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written by the engine out of ErrorData.
    error: row.error === null ? undefined : (JSON.parse(row.error) as ErrorData),
  }
}

export function executionOf(row: ExecutionRow): Execution {
  return {
    ...headOf(row),
    versionId: row.version_id,
    input: row.input,
    output: row.output ?? undefined,
    answer: row.answer ?? undefined,
    retryOf: row.retry_of ?? undefined,
    retriedBy: row.retried_by ?? undefined,
  }
}

/** JSON out of a `json` column, which holds nothing else. */
export function parseJson(text: string): Json {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- See above.
  return JSON.parse(text) as Json
}
