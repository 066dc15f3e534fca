import { type RawBuilder, sql } from 'kysely'
import { leastIdAt } from '#postgres/storage/time-of-id.ts'
import type { SqlExecutor } from '#postgres/storage/sql-database.ts'

/** An event of an account, without its envelope; ids are UUIDs. */
export interface EventSummary {
  readonly id: string
  /** The id attribute of the CloudEvent. */
  readonly eventId: string
  readonly source: string
  readonly type: string
  readonly receivedAt: Date
  readonly expiresAt: Date
  /** `received` until it is matched with the listeners; then `taken` if an execution received it and has not released it, else `kept`. */
  readonly state: 'received' | 'kept' | 'taken'
}

/** An event with its envelope as JSON text. */
export interface WholeEvent extends EventSummary {
  readonly envelope: string
}

/** A property that is undefined admits every event. */
export interface EventListFilter {
  readonly type: string | undefined
  readonly source: string | undefined
  readonly since: Date | undefined
  readonly until: Date | undefined
}

interface EventSummaryRow {
  readonly id: string
  readonly event_id: string
  readonly source: string
  readonly type: string
  readonly received_at: Date
  readonly expires_at: Date
  readonly matched: boolean
  readonly taken: boolean
}

const columns = sql`id, event_id, source, type, received_at, expires_at, matched_at is not null as matched, taken`

/** Tolerance between the times in ids, of the machine that made them, and the times of the database. */
const clockSkewMs = 60_000

/** Lists the events of an account that the filter admits, newest first. Times also bound the ids, which the indexes have. */
export async function listEvents(
  executor: SqlExecutor,
  accountId: string,
  { type, source, since, until }: EventListFilter,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly EventSummary[]> {
  const conditions: RawBuilder<unknown>[] = [sql`account_id = ${accountId}`]
  if (type !== undefined) conditions.push(sql`type = ${type}`)
  if (source !== undefined) conditions.push(sql`source = ${source}`)
  if (before !== undefined) conditions.push(sql`id < ${before}`)
  if (since !== undefined) conditions.push(sql`id >= ${leastIdAt(since.getTime() - clockSkewMs)} and received_at >= ${since}`)
  if (until !== undefined) conditions.push(sql`id < ${leastIdAt(until.getTime() + clockSkewMs)} and received_at < ${until}`)
  const { rows } = await sql<EventSummaryRow>`
    select ${columns} from events where ${sql.join(conditions, sql` and `)} order by id desc limit ${limit}`.execute(executor)
  return rows.map(summaryOf)
}

export async function findEvent(executor: SqlExecutor, accountId: string, id: string): Promise<WholeEvent | undefined> {
  const { rows } = await sql<EventSummaryRow & { readonly envelope: string }>`
    select ${columns}, envelope from events where account_id = ${accountId} and id = ${id}`.execute(executor)
  return rows[0] === undefined ? undefined : { ...summaryOf(rows[0]), envelope: rows[0].envelope }
}

/** A query for the envelope of an event, to be used as a scalar: no row for one that has expired. */
export function eventEnvelopeQuery(accountId: RawBuilder<unknown>, id: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`select e.envelope from events e where e.account_id = ${accountId} and e.id = ${id}`
}

/** A query for the depth of the execution that emitted an event, to be used as a scalar. */
export function eventDepthQuery(accountId: RawBuilder<unknown>, id: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`select e.depth from events e where e.account_id = ${accountId} and e.id = ${id}`
}

/** Accounts with a listener that may want the lifecycle events of executions and tasks: one scan of an index that has no other filters. */
export async function findLifecycleListeners(executor: SqlExecutor): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly account_id: string }>`
    select distinct account_id from event_filters
    where starts_with(type, 'io.serverlessworkflow.') or (type is null and filter -> 'with' ->> 'type' is not null)`.execute(executor)
  return rows.map((row) => row.account_id)
}

function summaryOf(row: EventSummaryRow): EventSummary {
  return {
    id: row.id,
    eventId: row.event_id,
    source: row.source,
    type: row.type,
    receivedAt: row.received_at,
    expiresAt: row.expires_at,
    state: row.taken ? 'taken' : row.matched ? 'kept' : 'received',
  }
}
