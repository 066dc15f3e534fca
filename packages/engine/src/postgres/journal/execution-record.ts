import type { PoolClient } from 'pg'
import { errorFromJson } from '#core/error.ts'
import { parseJson } from '#core/json.ts'
import type { Continuation, Recorded } from '#durable/ports/store.ts'
import type { JobSender } from '#postgres/queue/job-queue.ts'
import { type EntryRow, keysOf, toEntry } from '#postgres/claims/claim-executions.ts'

type Client = Pick<PoolClient, 'query'>

interface RecordRow {
  id: string
  account_id: string
  workflow_id: string
  version_id: string
  state: Recorded['state']
  trigger: string
  actor: string
  depth: number
  keys: string | null
  input: string
  output: string | null
  error: string | null
  decisions: string
  created_at: Date
  started_at: Date | null
}

/** All that is kept of an execution. */
export async function readRecord(client: Client, accountId: string, id: string): Promise<Recorded | undefined> {
  const { rows } = await client.query<RecordRow>(
    `select e.id, e.account_id, e.workflow_id, e.version_id, e.state, e.trigger, e.actor, e.depth, r.keys, e.input, e.output, e.error, e.decisions,
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
    keys: keysOf(row.keys),
    input: parseJson(row.input),
    output: row.output === null ? undefined : parseJson(row.output),
    error: row.error === null ? undefined : errorFromJson(parseJson(row.error)),
    decisions: row.decisions,
    startedAtMs: (row.started_at ?? row.created_at).getTime(),
    entries: entries.rows.map(toEntry),
  }
}

/** @returns the id of the execution that goes on from the ended one: this one, or another that was there before. */
export async function insertContinuation(client: Client, jobs: JobSender, continuation: Continuation): Promise<string> {
  const { id, of, versionId, actor, input, startedAtMs, entries, keys } = continuation
  const { rowCount } = await client.query(
    `insert into execution_retries (retry_of, account_id, execution_id, keys) values ($1, $2, $3, $4::json) on conflict (retry_of) do nothing`,
    [of.id, of.accountId, id, Object.keys(keys).length === 0 ? null : JSON.stringify(keys)],
  )
  if (rowCount !== 1) {
    const { rows } = await client.query<{ id: string }>(`select execution_id as id from execution_retries where retry_of = $1`, [of.id])
    return rows[0]?.id ?? id
  }
  await client.query(
    `insert into executions (id, account_id, workflow_id, version_id, state, trigger, actor, depth, input, created_at, started_at, retry_of)
     values ($1, $2, $3, $4, 'pending', $5, $6, $7, $8::json, to_timestamp($9 / 1000.0), to_timestamp($9 / 1000.0), $10)`,
    [id, of.accountId, of.workflowId, versionId, of.trigger, actor, of.depth, JSON.stringify(input), startedAtMs, of.id],
  )
  if (entries.length > 0) {
    await client.query(
      `insert into journal (execution_id, seq, account_id, position, phase, kind, ok, value, decisions, started_at, ended_at)
       select $1, r.seq, $2, r.position, r.phase, r.kind, r.ok, r.value::json, r.decisions, to_timestamp(r.started_at / 1000.0), to_timestamp(r.ended_at / 1000.0)
       from unnest($3::int4[], $4::text[], $5::text[], $6::text[], $7::bool[], $8::text[], $9::text[], $10::float8[], $11::float8[])
         as r(seq, position, phase, kind, ok, value, decisions, started_at, ended_at)`,
      [
        id,
        of.accountId,
        entries.map(({ seq }) => seq),
        entries.map(({ position }) => position),
        entries.map(({ phase }) => phase),
        entries.map(({ kind }) => kind),
        entries.map(({ ok }) => ok),
        entries.map(({ value }) => JSON.stringify(value)),
        entries.map(({ decisions }) => decisions),
        entries.map((entry) => entry.startedAtMs),
        entries.map(({ endedAtMs }) => endedAtMs),
      ],
    )
  }
  await jobs.send(client, [{ executionId: id, accountId: of.accountId, afterMs: undefined }])
  return id
}
