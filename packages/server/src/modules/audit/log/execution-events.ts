import { createHash } from 'node:crypto'
import type { JsonValue } from '@millrace/contract'
import { bytesOf } from '@millrace/contract/transparency'
import type { ExecutionReader, StoredExecution } from '@millrace/engine/storage'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { toTypeId } from '#platform/ids.ts'

export interface ExecutionEventDeps {
  readonly reader: Pick<ExecutionReader, 'executions'>
}

interface PendingRow {
  readonly account_id: string
  readonly execution_id: string
  readonly phase: 'started' | 'ended'
}

/** Rows that one pass reads at most. Each names the executions of an account that one statement of the engine has started or ended. */
const rowsMax = 1_000

/**
 * Writes the events of executions that have started or ended. The id of an event follows from the execution, so an execution that is listed
 * twice has one event.
 * @param limit executions after which no further row of the list is taken.
 * @returns how many executions were processed.
 */
export async function writeExecutionEvents(tx: Kysely<Rows>, { reader }: ExecutionEventDeps, limit: number): Promise<number> {
  const { rows } = await sql<PendingRow>`
    with listed as (
      select id, sum(cardinality(execution_ids)) over (order by id) - cardinality(execution_ids) as before
      from (select id, execution_ids from audit_pending_executions order by id limit ${rowsMax}) p
    ), taken as (
      delete from audit_pending_executions where id = any(array(select id from listed where before < ${limit}))
      returning id, account_id, execution_ids, phase
    )
    select account_id, unnest(execution_ids) as execution_id, phase from taken order by id`.execute(tx)
  if (rows.length === 0) return 0
  const keys = rows.map(({ account_id: accountId, execution_id: id }) => ({ accountId, id }))
  const executions = await reader.executions(keys)
  const events = rows.flatMap((row, index) => {
    const execution = executions[index]
    // A start whose end is known needs no event of its own: the event of the end states both.
    if (execution === undefined || (row.phase === 'started' && execution.endedAt !== undefined)) return []
    return [eventOf(row, execution)]
  })
  await insertEvents(tx, events)
  return rows.length
}

interface ExecutionEvent {
  readonly id: string
  readonly accountId: string
  readonly at: Date
  readonly event: string
  readonly target: string
  readonly details: Readonly<Record<string, JsonValue>>
}

function eventOf({ account_id: accountId, execution_id: id, phase }: PendingRow, execution: StoredExecution): ExecutionEvent {
  const started = {
    workflow: toTypeId('wf', execution.workflowId),
    version: toTypeId('wfv', execution.versionId),
    trigger: execution.trigger,
    startedAt: (execution.startedAt ?? execution.createdAt).toISOString(),
    inputDigest: digestOfJson(execution.input),
  }
  const target = toTypeId('exec', id)
  const base = { id: executionEventId(id, phase), accountId, target, event: `execution.${phase}` }
  if (phase === 'started' || execution.endedAt === undefined)
    return { ...base, at: execution.startedAt ?? execution.createdAt, details: started }
  return {
    ...base,
    at: execution.endedAt,
    details: {
      ...started,
      state: execution.state,
      endedAt: execution.endedAt.toISOString(),
      outputDigest: execution.output === undefined ? null : digestOfJson(execution.output),
    },
  }
}

async function insertEvents(tx: Kysely<Rows>, events: readonly ExecutionEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(({ id, accountId, at, event, target, details }) => ({ id, account_id: accountId, at, event, target, details }))
  await sql`
    insert into audit_events (id, account_id, at, actor, event, target, details)
    select r.id, r.account_id, r.at, 'system:engine', r.event, r.target, r.details
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, account_id uuid, at timestamptz, event text, target text, details jsonb)
    on conflict (id) do nothing`.execute(tx)
}

/** The id of the event of an execution: a UUIDv8 (RFC 9562) with the time of the execution, else from a hash. */
export function executionEventId(executionId: string, phase: 'started' | 'ended'): string {
  const time = executionId.slice(0, 13)
  const hash = createHash('sha256').update(`${executionId}/${phase}`).digest('hex')
  return `${time}-8${hash.slice(0, 3)}-a${hash.slice(3, 6)}-${hash.slice(6, 18)}`
}

/** SHA-256 over the form of RFC 8785, as `sha256:` and hexadecimal digits. */
export function digestOf(value: JsonValue): string {
  return `sha256:${createHash('sha256').update(bytesOf(value)).digest('hex')}`
}

/** @param text JSON as it is stored. A value that RFC 8785 has no form for, such as half a surrogate pair, is digested as stored. */
export function digestOfJson(text: string): string {
  try {
    return digestOf(JSON.parse(text))
  } catch {
    return `sha256-text:${createHash('sha256').update(text).digest('hex')}`
  }
}
