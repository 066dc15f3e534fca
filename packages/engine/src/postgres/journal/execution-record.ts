import type { PoolClient } from 'pg'
import { errorFromJson } from '#core/error.ts'
import { parseJson } from '#core/json.ts'
import type { Continuation, ExecutionRecord } from '#durable/ports/store.ts'
import type { JobSender } from '#postgres/queue/job-queue.ts'
import { arraysOf, type Column, entryColumns, executionColumns, insertSql, labelColumns } from './columns.ts'
import { labelsOf } from './label-rows.ts'
import { type Insert, NO_END } from './prepare-write.ts'
import { type EntryRow, keysOf, toEntry } from '#postgres/claims/claim-executions.ts'

type Client = Pick<PoolClient, 'query'>

interface RecordRow {
  id: string
  account_id: string
  workflow_id: string
  version_id: string
  state: ExecutionRecord['state']
  trigger: string
  actor: string
  depth: number
  caused_by: string | null
  keys: string | null
  input: string
  output: string | null
  error: string | null
  decisions: string
  created_at: Date
  started_at: Date | null
}

/** An execution with its whole journal. */
export async function readRecord(client: Client, accountId: string, id: string): Promise<ExecutionRecord | undefined> {
  const { rows } = await client.query<RecordRow>(
    `select e.id, e.account_id, e.workflow_id, e.version_id, e.state, e.trigger, e.actor, e.depth, e.caused_by, r.keys, e.input, e.output, e.error, e.decisions,
       e.created_at, e.started_at
     from executions e left join execution_retries r on r.retry_of = e.retry_of where e.account_id = $1 and e.id = $2`,
    [accountId, id],
  )
  const [row] = rows
  if (row === undefined) return undefined
  const entries = await client.query<EntryRow>({
    name: 'journal-of-one',
    text: `select execution_id, seq, position, phase, kind, ok, value, decisions, started_at, ended_at
      from journal where execution_id = $1 order by seq`,
    values: [id],
  })
  return {
    id: row.id,
    accountId: row.account_id,
    workflowId: row.workflow_id,
    versionId: row.version_id,
    state: row.state,
    trigger: row.trigger,
    depth: row.depth,
    causedBy: row.caused_by ?? undefined,
    keys: keysOf(row.keys),
    input: parseJson(row.input),
    output: row.output === null ? undefined : parseJson(row.output),
    error: row.error === null ? undefined : errorFromJson(parseJson(row.error)),
    decisions: row.decisions,
    startedAtMs: (row.started_at ?? row.created_at).getTime(),
    entries: entries.rows.map(toEntry),
  }
}

const continuationColumns: readonly Column<Insert & { readonly retryOf: string }>[] = [
  ...executionColumns,
  { name: 'retry_of', type: 'uuid', value: ({ retryOf }) => retryOf },
]

/**
 * Inserts an execution that continues an ended one; at most one does.
 * @returns its id, or the id of the one that exists already.
 */
export async function insertContinuation(client: Client, jobs: JobSender, continuation: Continuation): Promise<string> {
  const { id, of, versionId, actor, input, labels, startedAtMs, entries, keys } = continuation
  const { rowCount } = await client.query(
    `insert into execution_retries (retry_of, account_id, execution_id, keys) values ($1, $2, $3, $4::json) on conflict (retry_of) do nothing`,
    [of.id, of.accountId, id, Object.keys(keys).length === 0 ? null : JSON.stringify(keys)],
  )
  if (rowCount !== 1) {
    const { rows } = await client.query<{ id: string }>(`select execution_id as id from execution_retries where retry_of = $1`, [of.id])
    return rows[0]?.id ?? id
  }
  const head = { ...of, id, versionId, actor, input, labels, parentId: undefined, createdAtMs: startedAtMs, idempotency: undefined }
  const execution = {
    head,
    input: JSON.stringify(input),
    startedAtMs,
    progress: { state: 'pending' } as const,
    end: NO_END,
    retryOf: of.id,
  }
  await client.query(insertSql('executions', continuationColumns, 1), arraysOf(continuationColumns, [execution]))
  const labelled = labelsOf([head])
  if (labelled.length > 0) await client.query(insertSql('execution_labels', labelColumns, 1), arraysOf(labelColumns, labelled))
  if (entries.length > 0) {
    const rows = entries.map((entry) => ({ executionId: id, accountId: of.accountId, entry, value: JSON.stringify(entry.value) }))
    await client.query(insertSql('journal', entryColumns, 1), arraysOf(entryColumns, rows))
  }
  await jobs.send(client, [{ executionId: id, accountId: of.accountId, notBeforeMs: undefined }])
  return id
}
