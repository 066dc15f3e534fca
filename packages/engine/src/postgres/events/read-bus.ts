import type { PoolClient } from 'pg'
import { type JsonObject, membersOf, parseJson } from '#core/json.ts'
import type { EventFilterCache } from '#events/filter-cache.ts'
import type { StoredEvent, StoredFilter, StoredListener } from '#events/stored.ts'

type Client = Pick<PoolClient, 'query'>

export interface EventRow {
  readonly id: string
  readonly account_id: string
  readonly type: string
  readonly envelope: string
  readonly expired: boolean
  readonly takers: number
  readonly matched_to: string | null
}

/** An event as the database has it. Its envelope is parsed when it is read. */
export interface FoundEvent extends StoredEvent {
  /** Characters of its envelope. */
  readonly size: number
  /** How many have got it. */
  readonly takers: number
  /** Listeners up to this id have been held against it. */
  readonly matchedTo: string | undefined
}

/** A listener as the database has it. */
export interface FoundListener extends StoredListener {
  /** It has not been held against what is kept. */
  readonly fresh: boolean
  /** Whether everything kept that passes its filter is in `kept_events`. */
  readonly indexed: boolean
  /** Where it is not, the last event that was held against the filter for that. */
  readonly indexedTo: string | undefined
  /** Kept events up to this one have been held against it. */
  readonly keptTo: string | undefined
  /** Characters of what its filter reads of the execution. */
  readonly scopeSize: number
}

/** The next rows of something, by their ids. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** The id up to which there are no more than these; undefined where nothing follows. */
  readonly to: string | undefined
}

/** A filter that events are held against. */
export interface FoundFilter extends StoredFilter {
  /** Whether what is kept and passes it is written to `kept_events`. */
  readonly begun: boolean
}

export interface ListenerRow {
  readonly id: string
  readonly account_id: string
  readonly execution_id: string
  readonly position: string
  readonly role: 'event' | 'until'
  readonly index: number
  readonly takes: 'one' | 'each' | 'many'
  readonly filter_id: string
  readonly expected: string
  readonly open_names: readonly string[]
  readonly key: string | null
  readonly scope: string | null
  readonly fresh: boolean
  readonly filter: string
  readonly indexed: boolean
  readonly indexed_to: string | null
  readonly kept_to: string | null
}

export const eventColumns = `events.id, events.account_id, events.type, events.envelope, events.takers, events.matched_to,
  events.expires_at <= now() as expired`
export const listenerColumns = `l.id, l.account_id, l.execution_id, l.position, l.role, l.index, l.takes, l.filter_id, l.expected, l.open_names, l.key, l.scope,
  l.kept_to, l.matched_at is null as fresh, f.filter, f.kept_since is not null as indexed, f.kept_to as indexed_to`
const begun = '(f.kept_since is not null or f.kept_to is not null)'
export const withFilter = 'join event_filters f on f.account_id = l.account_id and f.id = l.filter_id'

/** Filters that events of these accounts and types might pass. */
export async function readFilters(
  client: Client,
  filters: EventFilterCache,
  events: readonly Pick<StoredEvent, 'accountId' | 'type'>[],
): Promise<readonly FoundFilter[]> {
  const { rows } = await client.query<{ account_id: string; id: string; type: string | null; filter: string; begun: boolean }>({
    name: 'event-filters-of',
    text: `with asked as (select distinct account_id, type from unnest($1::uuid[], $2::text[]) as a(account_id, type))
      select f.account_id, f.id, f.type, f.filter, ${begun} as begun from asked a join event_filters f on f.account_id = a.account_id and f.type = a.type
      union all
      select f.account_id, f.id, f.type, f.filter, ${begun} as begun from (select distinct account_id from asked) a
        join event_filters f on f.account_id = a.account_id and f.type is null`,
    values: [events.map(({ accountId }) => accountId), events.map(({ type }) => type)],
  })
  return rows.map((row) => ({
    accountId: row.account_id,
    id: row.id,
    type: row.type ?? undefined,
    filter: filters.get(row.id, () => objectOf(row.filter)),
    begun: row.begun,
  }))
}

export interface Lookup {
  readonly accountId: string
  readonly filterId: string
  /** Undefined for all listeners of the filter. */
  readonly key: string | undefined
  /** Only listeners after this one. */
  readonly after: string | undefined
}

/** Listeners of one account that are read at a time, and bytes of what they have of their executions. */
const PAGE = 1_000
const PAGE_BYTES = 4 * 1024 * 1024
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/**
 * Whoever listens with these filters: by the index where the key is known, those among them whose values the first event decides.
 * @returns the first page of each account.
 */
export async function readListeners(
  client: Client,
  filters: EventFilterCache,
  lookups: readonly Lookup[],
): Promise<ReadonlyMap<string, Page<FoundListener>>> {
  const keyed = await readByKey(
    client,
    lookups.filter(({ key }) => key !== undefined),
  )
  const whole = await readWhole(
    client,
    lookups.filter(({ key }) => key === undefined),
  )
  const pages = [...groupPages(keyed), ...groupPages(whole)]
  return new Map([...Map.groupBy(pages, ([accountId]) => accountId)].map(([accountId, all]) => [accountId, joined(all, filters)]))
}

interface PageRow extends ListenerRow {
  /** Of the rows of the account up to this one. */
  readonly bytes: string
}

function groupPages(rows: readonly PageRow[]): readonly (readonly [string, readonly PageRow[]])[] {
  return [...Map.groupBy(rows, (row) => row.account_id)]
}

/** What two readings have found, as far as both have come. */
function joined(readings: readonly (readonly [string, readonly PageRow[]])[], filters: EventFilterCache): Page<FoundListener> {
  const ends = readings.flatMap(([, rows]) => {
    const last = rows.at(-1)
    return last !== undefined && (rows.length >= PAGE || Number(last.bytes) > PAGE_BYTES) ? [last.id] : []
  })
  const to = ends.toSorted()[0]
  const rows = new Map(readings.flatMap(([, each]) => each).map((row) => [row.id, row]))
  const items = [...rows.values()].filter(({ id }) => to === undefined || id <= to).map((row) => toListener(row, filters))
  return wholeWaits({ items: items.toSorted((one, other) => (one.id < other.id ? -1 : 1)), to })
}

/** A page that ends between two filters of one wait ends before them: what such a wait gets of an event is decided at once. */
function wholeWaits({ items, to }: Page<FoundListener>): Page<FoundListener> {
  const last = items.at(-1)
  if (to === undefined || last === undefined) return { items, to }
  const before = items.findLastIndex(({ executionId, position }) => executionId !== last.executionId || position !== last.position)
  return before === -1 ? { items, to } : { items: items.slice(0, before + 1), to: items[before]?.id }
}

// Of every account the first rows, as far as a page goes. What a listener has of its execution is read, and counted, for those alone.
const paged = `first as (
    select * from (select l.*, row_number() over (partition by l.account_id order by l.id) as place from l) l where place <= ${PAGE}
  ), page as (
    select *, sum(coalesce(octet_length(scope::text), 0)) over (partition by account_id order by id) as bytes from first
  )
  select l.bytes, ${listenerColumns} from page l ${withFilter} where l.bytes - coalesce(octet_length(l.scope::text), 0) <= ${PAGE_BYTES}
  order by l.id`

// Two descents of listeners_by_key for each key, whatever the number of listeners. It stands alone because the planner takes any filter to have as many
// listeners as the average one: beside the statement below it read the whole table.
async function readByKey(client: Client, lookups: readonly Lookup[]): Promise<readonly PageRow[]> {
  if (lookups.length === 0) return []
  const { rows } = await client.query<PageRow>({
    name: 'listeners-by-key',
    text: `with asked as (select * from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[]) as a(account_id, filter_id, key, after)),
        l as (
          select l.* from asked a join listeners l on l.account_id = a.account_id and l.filter_id = a.filter_id and l.key = a.key and l.id > a.after
          union all
          select l.* from (select account_id, filter_id, min(after::text)::uuid as after from asked group by account_id, filter_id) a
            join listeners l on l.account_id = a.account_id and l.filter_id = a.filter_id and l.key is null and l.id > a.after
        ), ${paged}`,
    values: [...columnsOf(lookups), lookups.map(({ key }) => key), lookups.map(({ after }) => after ?? FIRST_ID)],
  })
  return rows
}

async function readWhole(client: Client, lookups: readonly Lookup[]): Promise<readonly PageRow[]> {
  if (lookups.length === 0) return []
  const { rows } = await client.query<PageRow>({
    name: 'listeners-of-filter',
    text: `with l as (
        select l.* from unnest($1::uuid[], $2::text[], $3::uuid[]) as a(account_id, filter_id, after)
        join listeners l on l.account_id = a.account_id and l.filter_id = a.filter_id and l.id > a.after
      ), ${paged}`,
    values: [...columnsOf(lookups), lookups.map(({ after }) => after ?? FIRST_ID)],
  })
  return rows
}

function columnsOf(lookups: readonly Lookup[]): readonly [readonly string[], readonly string[]] {
  return [lookups.map(({ accountId }) => accountId), lookups.map(({ filterId }) => filterId)]
}

/** Everything that waits with these listeners. */
export async function readGroups(
  client: Client,
  filters: EventFilterCache,
  groups: readonly Pick<StoredListener, 'executionId' | 'position'>[],
): Promise<readonly FoundListener[]> {
  if (groups.length === 0) return []
  const { rows } = await client.query<ListenerRow>({
    name: 'listeners-groups',
    text: `select ${listenerColumns}
      from (select distinct execution_id, position from unnest($1::uuid[], $2::text[]) as g(execution_id, position)) g
      join listeners l on l.execution_id = g.execution_id and l.position = g.position ${withFilter} order by l.id`,
    values: [groups.map(({ executionId }) => executionId), groups.map(({ position }) => position)],
  })
  return rows.map((row) => toListener(row, filters))
}

export function toEvent(row: EventRow): FoundEvent {
  const { id, type, envelope, expired, takers } = row
  let event: JsonObject | undefined
  return {
    id,
    accountId: row.account_id,
    type,
    get event() {
      event ??= objectOf(envelope)
      return event
    },
    expired,
    size: envelope.length,
    takers,
    matchedTo: row.matched_to ?? undefined,
  }
}

export function toListener(row: ListenerRow, filters: EventFilterCache): FoundListener {
  const { id, position, role, index, takes, fresh, indexed } = row
  let scope: JsonObject | undefined
  return {
    id,
    accountId: row.account_id,
    executionId: row.execution_id,
    position,
    role,
    index,
    takes,
    filterId: row.filter_id,
    filter: filters.get(row.filter_id, () => objectOf(row.filter)),
    expected: objectOf(row.expected),
    openNames: row.open_names,
    key: row.key ?? undefined,
    get scope() {
      scope ??= row.scope === null ? {} : objectOf(row.scope)
      return scope
    },
    scopeSize: row.scope?.length ?? 0,
    fresh,
    indexed,
    indexedTo: row.indexed_to ?? undefined,
    keptTo: row.kept_to ?? undefined,
  }
}

/** What is not an object is one without members: it passes nothing, and holds nothing up. */
function objectOf(text: string): JsonObject {
  return membersOf(parseJson(text))
}
