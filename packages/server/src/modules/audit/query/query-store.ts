import { type Kysely, sql } from 'kysely'
import { type EntryRow, entryColumns } from '#modules/audit/log/log-store.ts'
import type { Rows } from '#platform/db/rows.ts'

export interface EventFilter {
  readonly actor: string | undefined
  /** Exact, or a beginning followed by `*`. */
  readonly event: string | undefined
  readonly target: string | undefined
  readonly requestId: string | undefined
  readonly from: Date | undefined
  readonly to: Date | undefined
  /** Part of the event, actor, target, address or details. */
  readonly text: string | undefined
}

export interface Position {
  readonly at: string
  readonly id: string
}

export interface LoggedEvent extends EntryRow {
  readonly day: string | null
  readonly index: number | null
}

/** Events of one account, newest first, with their places in the log. The index by account and time gives the order. */
export async function listEvents(
  db: Kysely<Rows>,
  accountId: string,
  filter: EventFilter,
  { before, limit }: { readonly before: Position | undefined; readonly limit: number },
): Promise<readonly LoggedEvent[]> {
  const conditions = [
    sql`e.account_id = ${accountId}`,
    ...(filter.actor === undefined ? [] : [sql`e.actor = ${filter.actor}`]),
    ...(filter.event === undefined ? [] : [eventCondition(filter.event)]),
    ...(filter.target === undefined ? [] : [sql`e.target = ${filter.target}`]),
    ...(filter.requestId === undefined ? [] : [sql`e.request_id = ${filter.requestId}`]),
    ...(filter.from === undefined ? [] : [sql`e.at >= ${filter.from}`]),
    ...(filter.to === undefined ? [] : [sql`e.at < ${filter.to}`]),
    ...(filter.text === undefined ? [] : [textCondition(filter.text)]),
    ...(before === undefined ? [] : [sql`(e.at, e.id) < (${before.at}::timestamptz, ${before.id}::uuid)`]),
  ]
  const { rows } = await sql<LoggedEvent>`
    select ${entryColumns}, l.day::text as day, l.index
    from audit_events e left join audit_leaves l on l.event_id = e.id and l.account_id = e.account_id
    where ${sql.join(conditions, sql` and `)}
    order by e.at desc, e.id desc limit ${limit}`.execute(db)
  return rows
}

/** How many events there were of one kind on one day. */
export interface AuditCount {
  readonly date: string
  readonly event: string
  /** The state of an execution that ended. */
  readonly state: string | null
  readonly events: number
  /** Events with a leaf. */
  readonly logged: number
}

/** The events of a period by day, event and state. */
export async function countEvents(db: Kysely<Rows>, accountId: string, from: Date, to: Date): Promise<readonly AuditCount[]> {
  const { rows } = await sql<AuditCount>`
    select (e.at at time zone 'UTC')::date::text as date, e.event, case when e.event = 'execution.ended' then e.details->>'state' end as state,
      count(*)::int as events, count(l.event_id)::int as logged
    from audit_events e left join audit_leaves l on l.event_id = e.id
    where e.account_id = ${accountId} and e.at >= ${from} and e.at < ${to}
    group by 1, 2, 3`.execute(db)
  return rows
}

/** The targets of an event in a period, oldest first. */
export async function listTargets(
  db: Kysely<Rows>,
  accountId: string,
  event: string,
  { from, to, limit }: { readonly from: Date; readonly to: Date; readonly limit: number },
): Promise<readonly string[]> {
  const { rows } = await sql<{ target: string }>`
    select target from audit_events
    where account_id = ${accountId} and event = ${event} and at >= ${from} and at < ${to} and target is not null
    order by at, id limit ${limit}`.execute(db)
  return rows.map(({ target }) => target)
}

function eventCondition(event: string) {
  return event.endsWith('*') ? sql`starts_with(e.event, ${event.slice(0, -1)})` : sql`e.event = ${event}`
}

function textCondition(text: string) {
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql`(e.event ilike ${pattern} or e.actor ilike ${pattern} or e.target ilike ${pattern} or host(e.ip) ilike ${pattern} or e.details::text ilike ${pattern})`
}
