import type { RevealedChanges } from '@millrace/contract/transparency'
import { type Kysely, sql } from 'kysely'
import { blockEventsSql, millisecondsOf } from '#modules/audit/log/block-store.ts'
import { endedEvent } from '#modules/audit/log/execution-events.ts'
import { type EntryRow, entryColumns } from '#modules/audit/log/log-store.ts'
import type { Rows } from '#platform/db/rows.ts'
import { fromTypeId } from '#platform/ids.ts'

export interface EventFilter {
  readonly actor: string | undefined
  /** Exact, or a beginning followed by `*`; several are separated by commas, and one of them matches. Those after `!` are left out. */
  readonly event: string | undefined
  readonly target: string | undefined
  readonly requestId: string | undefined
  readonly from: Date | string | undefined
  readonly to: Date | undefined
  /** Part of the event, actor, target, address or details. */
  readonly text: string | undefined
  /** Ids of what the text names: an event with one of them as actor, target or workflow matches as well. */
  readonly named?: readonly string[] | undefined
}

export interface Position {
  readonly at: string
  readonly id: string
}

export interface LoggedEvent extends EntryRow {
  readonly day: string | null
  readonly index: number | null
  readonly revealed: RevealedChanges | null
  /** Of the leaf. */
  readonly hash: Buffer | null
}

interface Page {
  readonly before: Position | undefined
  readonly limit: number
}

/** How much of the log one search reads. */
export interface ScanLimits {
  /** Events in a window, of which one search reads several. */
  readonly windowEvents: number
  readonly windowsMax: number
}

const scanLimits: ScanLimits = { windowEvents: 20_000, windowsMax: 5 }
/** Blocks of events of executions that belong to a window, at most. */
const windowBlocks = 20

/** What a search has found. */
export interface FoundEvents {
  readonly events: readonly LoggedEvent[]
  /** The search has ended here, with older events unread. */
  readonly searchedTo: string | undefined
}

/** Before every id: a position with it is before all events of its time. */
const leastUuid = '00000000-0000-0000-0000-000000000000'

/** Where the page after a page of a search begins; undefined after the last one. */
export function positionAfter({ events, searchedTo }: FoundEvents, limit: number): Position | undefined {
  const last = events.at(-1)
  if (last !== undefined && events.length >= limit) return { at: last.at, id: last.id }
  return searchedTo === undefined ? undefined : { at: searchedTo, id: leastUuid }
}

/**
 * Events of one account that match, newest first. An actor, a target and a period have an index. A text or an event has none, so that the log is read
 * in windows, and after a number of them the search ends with what it has found: it costs the same however long the log is.
 */
export async function searchEvents(
  db: Kysely<Rows>,
  accountId: string,
  filter: EventFilter,
  page: Page,
  { windowEvents, windowsMax }: ScanLimits = scanLimits,
): Promise<FoundEvents> {
  if (filter.text === undefined && filter.event === undefined && filter.requestId === undefined)
    return { events: await listEvents(db, accountId, filter, page), searchedTo: undefined }
  let { before } = page
  let found: readonly LoggedEvent[] = []
  for (let count = 0; count < windowsMax; count++) {
    const start = await windowStart(db, accountId, filter, { before, limit: windowEvents })
    const window = start === undefined ? filter : { ...filter, from: start }
    found = [...found, ...(await listEvents(db, accountId, window, { before, limit: page.limit - found.length }))]
    if (start === undefined || found.length >= page.limit) return { events: found, searchedTo: undefined }
    before = { at: start, id: leastUuid }
  }
  return { events: found, searchedTo: before?.at }
}

/** Where a window begins that has so many events of the account, or blocks of them; undefined if there are fewer. */
async function windowStart(db: Kysely<Rows>, accountId: string, filter: EventFilter, page: Page): Promise<string | undefined> {
  const indexed = { ...filter, text: undefined, event: undefined, requestId: undefined }
  const conditions = sql.join(conditionsOf(accountId, indexed, page), sql` and `)
  const { rows } = await sql<{ readonly at: string }>`
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at from audit_events e
    where ${conditions} order by e.at desc, e.id desc offset ${page.limit} limit 1`.execute(db)
  if (!mayConcernExecutions(filter)) return rows[0]?.at
  const spans = sql.join(spansOf(accountId, filter, page), sql` and `)
  const { rows: blocks } = await sql<{ readonly at: string }>`
    select to_char(last_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at from audit_blocks
    where ${spans} order by last_at desc, day desc, first_index desc offset ${windowBlocks} limit 1`.execute(db)
  // A block may reach beyond the position before which the page is.
  const starts = [...rows, ...blocks].map(({ at }) => at).filter((at) => page.before === undefined || at < page.before.at)
  return starts.toSorted().at(-1)
}

/** Events of one account, newest first, with their places in the log. */
async function listEvents(db: Kysely<Rows>, accountId: string, filter: EventFilter, page: Page): Promise<readonly LoggedEvent[]> {
  const conditions = sql.join(conditionsOf(accountId, filter, page), sql` and `)
  // The index by account and time gives the order.
  const { rows } = await sql<LoggedEvent>`
    select ${entryColumns}, l.day::text as day, l.index, l.hash, c.revealed
    from audit_events e left join audit_leaves l on l.event_id = e.id and l.account_id = e.account_id
      left join audit_changes c on c.event_id = e.id and c.account_id = e.account_id
    where ${conditions} order by e.at desc, e.id desc limit ${page.limit}`.execute(db)
  if (!mayConcernExecutions(filter)) return rows
  const inBlocks = await listBlockEvents(db, accountId, filter, page)
  return newestFirst([...rows, ...inBlocks]).slice(0, page.limit)
}

function conditionsOf(accountId: string, filter: EventFilter, { before }: Page) {
  return [
    sql`e.account_id = ${accountId}`,
    ...(filter.actor === undefined ? [] : [sql`e.actor = ${filter.actor}`]),
    ...(filter.event === undefined ? [] : [eventCondition(filter.event)]),
    ...(filter.target === undefined ? [] : [sql`e.target = ${filter.target}`]),
    ...(filter.requestId === undefined ? [] : [sql`e.request_id = ${filter.requestId}`]),
    ...(filter.from === undefined ? [] : [sql`e.at >= ${filter.from}::timestamptz`]),
    ...(filter.to === undefined ? [] : [sql`e.at < ${filter.to}`]),
    ...(filter.text === undefined ? [] : [textCondition(filter.text, filter.named ?? [])]),
    ...(before === undefined ? [] : [sql`(e.at, e.id) < (${before.at}::timestamptz, ${before.id}::uuid)`]),
  ]
}

/** Whether events in blocks can match: starts and ends of executions. */
function mayConcernExecutions({ actor, event, target, requestId }: EventFilter): boolean {
  return (
    (actor === undefined || actor === 'system:engine') &&
    requestId === undefined &&
    (target === undefined || fromTypeId('exec', target) !== undefined) &&
    (event === undefined || ['execution.started', endedEvent].some((name) => isAsked(name, event)))
  )
}

function isAsked(event: string, asked: string): boolean {
  const { wanted, unwanted } = partsOf(asked)
  return (wanted.length === 0 || wanted.some((one) => isNamedBy(event, one))) && !unwanted.some((one) => isNamedBy(event, one))
}

function partsOf(asked: string) {
  const names = asked.split(',')
  return {
    wanted: names.filter((name) => !name.startsWith('!')),
    unwanted: names.filter((name) => name.startsWith('!')).map((name) => name.slice(1)),
  }
}

function isNamedBy(event: string, asked: string): boolean {
  return asked.endsWith('*') ? event.startsWith(asked.slice(0, -1)) : event === asked
}

const blocksMin = 8
const blocksMax = 128

interface BlockPlace {
  readonly day: string
  readonly first_index: number
  readonly last_at: string
}

/** Reads blocks from the newest on, until the rest of them is older than the events that were found. */
async function listBlockEvents(db: Kysely<Rows>, accountId: string, filter: EventFilter, page: Page): Promise<readonly LoggedEvent[]> {
  const conditions = sql.join(conditionsOf(accountId, filter, page), sql` and `)
  const spans = spansOf(accountId, filter, page)
  let found: readonly LoggedEvent[] = []
  let last: BlockPlace | undefined
  for (let count = blocksMin; ; count = Math.min(count * 2, blocksMax)) {
    const older =
      last === undefined
        ? []
        : [sql`(last_at, day, first_index) < (${last.last_at}::timestamptz, ${last.day}::date, ${last.first_index}::int4)`]
    const blocks = sql`(select * from audit_blocks where ${sql.join([...spans, ...older], sql` and `)}
      order by last_at desc, day desc, first_index desc limit ${count})`
    const places = await sql<BlockPlace>`
      select day::text as day, first_index, to_char(last_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as last_at
      from ${blocks} b order by b.last_at desc, b.day desc, b.first_index desc`.execute(db)
    const { rows } = await sql<LoggedEvent>`
      select ${entryColumns}, e.day::text as day, e.index, e.hash, null::jsonb as revealed from (${blockEventsSql(blocks)}) e
      where ${conditions} order by e.at desc, e.id desc limit ${page.limit}`.execute(db)
    found = newestFirst([...found, ...rows]).slice(0, page.limit)
    last = places.rows.at(-1)
    const oldest = found[page.limit - 1]
    if (places.rows.length < count || last === undefined || (oldest !== undefined && oldest.at > last.last_at)) return found
  }
}

/** Conditions for blocks that may have matching events. */
function spansOf(accountId: string, { target, from, to }: EventFilter, { before }: Page) {
  const execution = target === undefined ? undefined : fromTypeId('exec', target)
  return [
    sql`account_id = ${accountId}`,
    ...(execution === undefined ? [] : [sql`created @> ${millisecondsOf(execution)}::int8`]),
    ...(from === undefined ? [] : [sql`last_at >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql`first_at < ${to}`]),
    ...(before === undefined ? [] : [sql`first_at <= ${before.at}::timestamptz`]),
  ]
}

/** By time and id; both are texts that sort like their values. */
function newestFirst(events: readonly LoggedEvent[]): readonly LoggedEvent[] {
  return events.toSorted((one, other) => (one.at === other.at ? compare(other.id, one.id) : compare(other.at, one.at)))
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
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
    select (e.at at time zone 'UTC')::date::text as date, e.event, e.state, count(*)::int as events, count(e.leaf)::int as logged from (
      select e.at, e.event, case when e.event = ${endedEvent} then e.details->>'state' end as state, l.event_id as leaf
      from audit_events e left join audit_leaves l on l.event_id = e.id and l.account_id = e.account_id
      where e.account_id = ${accountId} and e.at >= ${from} and e.at < ${to}
      union all
      select u.at, b.bases[u.number]->>'event', b.bases[u.number]#>>'{details,state}', u.id
      from audit_blocks b cross join lateral unnest(b.event_ids, b.times, b.base_numbers) as u(id, at, number)
      where b.account_id = ${accountId} and b.last_at >= ${from} and b.first_at < ${to} and u.at >= ${from} and u.at < ${to}
    ) e group by 1, 2, 3`.execute(db)
  return rows
}

interface EndedIn {
  readonly from: Date
  readonly to: Date
  readonly limit: number
}

/** The executions that ended in a period, as targets of their events, oldest first. */
export async function listEnded(db: Kysely<Rows>, accountId: string, period: EndedIn): Promise<readonly string[]> {
  const { rows } = await sql<{ target: string }>`${endedSql(accountId, period)} order by at, id limit ${period.limit}`.execute(db)
  return rows.map(({ target }) => target)
}

/** The same, newest first. */
export async function listLatestEnded(db: Kysely<Rows>, accountId: string, period: EndedIn): Promise<readonly string[]> {
  const { rows } = await sql<{ target: string }>`
    ${endedSql(accountId, period)} order by at desc, id desc limit ${period.limit}`.execute(db)
  return rows.map(({ target }) => target)
}

function endedSql(accountId: string, { from, to }: EndedIn) {
  return sql`
    select target from (
      select target, at, id from audit_events
      where account_id = ${accountId} and event = ${endedEvent} and at >= ${from} and at < ${to} and target is not null
      union all
      select u.target, u.at, u.id
      from audit_blocks b cross join lateral unnest(b.event_ids, b.times, b.base_numbers, b.targets) as u(id, at, number, target)
      where b.account_id = ${accountId} and b.last_at >= ${from} and b.first_at < ${to} and u.at >= ${from} and u.at < ${to}
        and b.bases[u.number]->>'event' = ${endedEvent}
    ) e`
}

function eventCondition(events: string) {
  const { wanted, unwanted } = partsOf(events)
  const one = (names: readonly string[]) =>
    sql.join(
      names.map((event) => (event.endsWith('*') ? sql`starts_with(e.event, ${event.slice(0, -1)})` : sql`e.event = ${event}`)),
      sql` or `,
    )
  return sql`(${wanted.length === 0 ? sql`true` : one(wanted)}) and not (${unwanted.length === 0 ? sql`false` : one(unwanted)})`
}

function textCondition(text: string, named: readonly string[]) {
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const actors = named.flatMap((id) => [`user:${id}`, `key:${id}`])
  return sql`(e.event ilike ${pattern} or e.actor ilike ${pattern} or e.target ilike ${pattern} or host(e.ip) ilike ${pattern}
    or e.details::text ilike ${pattern} or e.actor = any(${actors}::text[]) or e.target = any(${named}::text[])
    or e.details ->> 'workflow' = any(${named}::text[]) or e.details ->> 'workflowId' = any(${named}::text[]))`
}
