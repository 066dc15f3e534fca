import { createHash } from 'node:crypto'
import type { JsonValue } from '@millrace/contract'
import { type AuditEntry, bytesOf } from '@millrace/contract/transparency'
import type { ExecutionFacts, ExecutionReader } from '@millrace/engine/storage'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { toTypeId } from '#platform/ids.ts'

export interface ExecutionEventDeps {
  readonly reader: Pick<ExecutionReader, 'facts'>
}

interface PendingRow {
  readonly account_id: string
  readonly execution_id: string
  readonly phase: 'started' | 'ended'
}

/** The start or the end of an execution. */
export interface ExecutionEvent {
  readonly id: string
  readonly accountId: string
  readonly at: Date
  readonly target: string
  /** What other events have in common with this one. */
  readonly base: {
    readonly event: string
    readonly details: Readonly<Record<string, JsonValue>>
  }
  readonly startedAt: Date
  readonly inputDigest: string
  readonly outputDigest: string | null
}

/** Rows that one pass reads at most. Each names the executions of an account that one statement of the engine has started or ended. */
const rowsMax = 1_000
/** Of inputs and outputs that are read at once, and of which the events keep only digests. */
const bytesMax = 32 * 1024 * 1024

/**
 * Takes executions that have started or ended off their list. The id of an event follows from the execution.
 * @param limit executions after which no further row of the list is taken.
 * @returns how many were taken, and their events.
 */
export async function takeExecutionEvents(
  tx: Kysely<Rows>,
  { reader }: ExecutionEventDeps,
  limit: number,
): Promise<{ readonly taken: number; readonly events: readonly ExecutionEvent[] }> {
  const { rows } = await sql<PendingRow>`
    with listed as (
      select id, sum(cardinality(execution_ids)) over (order by id) - cardinality(execution_ids) as before
      from (select id, execution_ids from audit_pending_executions order by id limit ${rowsMax}) p
    ), taken as (
      delete from audit_pending_executions where id = any(array(select id from listed where before < ${limit}))
      returning id, account_id, execution_ids, phase
    )
    select account_id, unnest(execution_ids) as execution_id, phase from taken order by id`.execute(tx)
  if (rows.length === 0) return { taken: 0, events: [] }
  const events = new Map<string, ExecutionEvent>()
  for (let from = 0; from < rows.length; ) {
    const part = rows.slice(from)
    const keys = part.map(({ account_id: accountId, execution_id: id }) => ({ accountId, id }))
    const executions = await reader.facts(keys, bytesMax)
    for (const [index, execution] of executions.entries()) {
      const row = part[index]
      // A start whose end is known needs no event of its own: the event of the end states both.
      if (row === undefined || execution === undefined || (row.phase === 'started' && execution.endedAt !== undefined)) continue
      events.set(executionEventId(row.execution_id, row.phase), eventOf(row, execution))
    }
    from += executions.length
  }
  return { taken: rows.length, events: [...events.values()] }
}

function eventOf({ account_id: accountId, execution_id: id, phase }: PendingRow, execution: ExecutionFacts): ExecutionEvent {
  const startedAt = execution.startedAt ?? execution.createdAt
  const pinned = {
    workflow: toTypeId('wf', execution.workflowId),
    version: toTypeId('wfv', execution.versionId),
    trigger: execution.trigger,
    startedBy: execution.actor,
  }
  const common = { id: executionEventId(id, phase), accountId, target: toTypeId('exec', id), startedAt }
  const inputDigest = digestOfJson(execution.input)
  if (phase === 'started' || execution.endedAt === undefined)
    return { ...common, at: startedAt, base: { event: 'execution.started', details: pinned }, inputDigest, outputDigest: null }
  return {
    ...common,
    at: execution.endedAt,
    base: { event: endedEvent, details: { ...pinned, state: execution.state } },
    inputDigest,
    outputDigest: execution.output === undefined ? null : digestOfJson(execution.output),
  }
}

export const endedEvent = 'execution.ended'

/** An event as its leaf covers it. */
export function entryOfExecution(event: ExecutionEvent, salt: string): AuditEntry {
  const { id, accountId: account, at, base, target, startedAt, inputDigest, outputDigest } = event
  const started = { ...base.details, startedAt: startedAt.toISOString(), inputDigest }
  const details = base.event === endedEvent ? { ...started, endedAt: at.toISOString(), outputDigest } : started
  const microseconds = at.toISOString().replace('Z', '000Z')
  return { id, account, at: microseconds, actor: 'system:engine', event: base.event, target, requestId: null, ip: null, details, salt }
}

/** Inserts events as rows of their own. */
export async function insertExecutionEvents(tx: Kysely<Rows>, events: readonly ExecutionEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map((event) => {
    const { id, account, at, actor, event: name, target, details } = entryOfExecution(event, '')
    return { id, account_id: account, at, actor, event: name, target, details }
  })
  await sql`
    insert into audit_events (id, account_id, at, actor, event, target, details)
    select r.id, r.account_id, r.at, r.actor, r.event, r.target, r.details
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(id uuid, account_id uuid, at timestamptz, actor text, event text, target text, details jsonb)
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
  return `${digestPrefix}${createHash('sha256').update(bytesOf(value)).digest('hex')}`
}

export const digestPrefix = 'sha256:'

/** @param text JSON as it is stored. A value that RFC 8785 has no form for, such as half a surrogate pair, is digested as stored. */
export function digestOfJson(text: string): string {
  try {
    return digestOf(JSON.parse(text))
  } catch {
    return `sha256-text:${createHash('sha256').update(text).digest('hex')}`
  }
}
