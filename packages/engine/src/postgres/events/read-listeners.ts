import type { PoolClient } from 'pg'
import type { EventFilterCache } from '#events/filter-cache.ts'
import type { StoredEvent, StoredListener } from '#events/stored.ts'
import { byId, FIRST_ID } from './id-order.ts'
import {
  type FilterRecord,
  joinFilter,
  listenerColumns,
  type ListenerRecord,
  type ListenerRow,
  objectOf,
  type Page,
  toListener,
} from './records.ts'

type Client = Pick<PoolClient, 'query'>

const indexesKept = '(f.kept_since is not null or f.kept_to is not null) as indexes_kept'

/** Filters that are read at a time, and bytes of their definitions. Their rows are parsed without a turn of the event loop. */
const FILTERS_PAGE = 500
const FILTERS_PAGE_BYTES = 1024 * 1024

interface FilterRow {
  readonly account_id: string
  readonly id: string
  readonly type: string | null
  readonly filter: string
  readonly indexes_kept: boolean
  /** Of the rows of the page up to this one. */
  readonly bytes: string
}

/** Reads the filters that events of these accounts and types might pass, page by page. */
export async function readFilters(
  client: Client,
  filters: EventFilterCache,
  events: readonly Pick<StoredEvent, 'accountId' | 'type'>[],
): Promise<readonly FilterRecord[]> {
  const records: FilterRecord[] = []
  for (let after: FilterRow | undefined; ; ) {
    const { rows } = await client.query<FilterRow>({
      name: 'event-filters-of',
      text: `with wanted as (select distinct account_id, type from unnest($1::uuid[], $2::text[]) as w(account_id, type)),
          found as (
            select f.account_id, f.id, f.type, f.filter, ${indexesKept} from wanted w
              join event_filters f on f.account_id = w.account_id and f.type = w.type
            where (f.account_id, f.id) > ($3::uuid, $4::text)
            union all
            select f.account_id, f.id, f.type, f.filter, ${indexesKept} from (select distinct account_id from wanted) w
              join event_filters f on f.account_id = w.account_id and f.type is null
            where (f.account_id, f.id) > ($3::uuid, $4::text)
          ),
          page as (select * from found order by account_id, id limit ${FILTERS_PAGE}),
          sized as (select *, sum(octet_length(filter::text)) over (order by account_id, id) as bytes from page)
        select * from sized where bytes - octet_length(filter::text) < ${FILTERS_PAGE_BYTES} order by account_id, id`,
      values: [events.map(({ accountId }) => accountId), events.map(({ type }) => type), after?.account_id ?? FIRST_ID, after?.id ?? ''],
    })
    for (const row of rows) records.push(toFilter(row, filters))
    after = rows.at(-1)
    if (after === undefined || (rows.length < FILTERS_PAGE && Number(after.bytes) < FILTERS_PAGE_BYTES)) return records
  }
}

function toFilter(row: FilterRow, filters: EventFilterCache): FilterRecord {
  return {
    accountId: row.account_id,
    id: row.id,
    type: row.type ?? undefined,
    filter: filters.get(row.id, () => objectOf(row.filter)),
    indexesKept: row.indexes_kept,
  }
}

/** The listeners of one filter that an event may match. */
export interface Lookup {
  readonly accountId: string
  readonly filterId: string
  /** The correlation key that the event has; undefined to read all listeners of the filter. */
  readonly key: string | undefined
  /** Only listeners after this id. */
  readonly after: string | undefined
}

/** Listeners of one account that are read at a time, and bytes of their scopes. */
const PAGE_LISTENERS = 1_000
const PAGE_BYTES = 4 * 1024 * 1024

/**
 * Reads the listeners of these lookups. Where the key is known, it finds the listeners with that key, and those of the filter whose correlations are open, by the index.
 * @returns the first page of each account.
 */
export async function readListeners(
  client: Client,
  filters: EventFilterCache,
  lookups: readonly Lookup[],
): Promise<ReadonlyMap<string, Page<ListenerRecord>>> {
  const byKey = await readByKey(
    client,
    lookups.filter(({ key }) => key !== undefined),
  )
  const byFilter = await readByFilter(
    client,
    lookups.filter(({ key }) => key === undefined),
  )
  const readings = [...rowsByAccount(byKey), ...rowsByAccount(byFilter)]
  return new Map([...Map.groupBy(readings, ([accountId]) => accountId)].map(([accountId, all]) => [accountId, mergePages(all, filters)]))
}

interface PageRow extends ListenerRow {
  /** Bytes of the scopes of the account's rows up to this one. */
  readonly bytes: string
}

function rowsByAccount(rows: readonly PageRow[]): readonly (readonly [string, readonly PageRow[]])[] {
  return [...Map.groupBy(rows, (row) => row.account_id)]
}

/** Merges the rows of two statements, up to the id that both have read. */
function mergePages(readings: readonly (readonly [string, readonly PageRow[]])[], filters: EventFilterCache): Page<ListenerRecord> {
  const ends = readings.flatMap(([, rows]) => {
    const last = rows.at(-1)
    return last !== undefined && (rows.length >= PAGE_LISTENERS || Number(last.bytes) > PAGE_BYTES) ? [last.id] : []
  })
  const to = ends.toSorted()[0]
  const rows = new Map(readings.flatMap(([, page]) => page).map((row) => [row.id, row]))
  const items = [...rows.values()].filter(({ id }) => to === undefined || id <= to).map((row) => toListener(row, filters))
  return cutAtWait({ items: items.toSorted(byId), to })
}

/** Ends a page before a wait that it has only in part: all listeners of a wait are matched with an event at once. */
function cutAtWait({ items, to }: Page<ListenerRecord>): Page<ListenerRecord> {
  const last = items.at(-1)
  if (to === undefined || last === undefined) return { items, to }
  const before = items.findLastIndex(({ executionId, position }) => executionId !== last.executionId || position !== last.position)
  return before === -1 ? { items, to } : { items: items.slice(0, before + 1), to: items[before]?.id }
}

// The first rows of every account that fit a page. Scopes are read, and their bytes counted, for those rows only.
const pageOfAccount = `first as (
    select * from (select l.*, row_number() over (partition by l.account_id order by l.id) as place from l) l where place <= ${PAGE_LISTENERS}
  ), page as (
    select *, sum(coalesce(octet_length(scope::text), 0)) over (partition by account_id order by id) as bytes from first
  )
  select l.bytes, ${listenerColumns} from page l ${joinFilter} where l.bytes - coalesce(octet_length(l.scope::text), 0) <= ${PAGE_BYTES}
  order by l.id`

// Two descents of listeners_by_key for each key, whatever the number of listeners. This is a statement of its own because the planner assumes that any filter
// has as many listeners as the average one: joined with the statement below, it read the whole table.
async function readByKey(client: Client, lookups: readonly Lookup[]): Promise<readonly PageRow[]> {
  if (lookups.length === 0) return []
  const { rows } = await client.query<PageRow>({
    name: 'listeners-by-key',
    text: `with wanted as (select * from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[]) as w(account_id, filter_id, key, after)),
        l as (
          select l.* from wanted w join listeners l on l.account_id = w.account_id and l.filter_id = w.filter_id and l.key = w.key and l.id > w.after
          union all
          select l.* from (select account_id, filter_id, min(after::text)::uuid as after from wanted group by account_id, filter_id) w
            join listeners l on l.account_id = w.account_id and l.filter_id = w.filter_id and l.key is null and l.id > w.after
        ), ${pageOfAccount}`,
    values: [...columnsOf(lookups), lookups.map(({ key }) => key), lookups.map(({ after }) => after ?? FIRST_ID)],
  })
  return rows
}

async function readByFilter(client: Client, lookups: readonly Lookup[]): Promise<readonly PageRow[]> {
  if (lookups.length === 0) return []
  const { rows } = await client.query<PageRow>({
    name: 'listeners-of-filter',
    text: `with l as (
        select l.* from unnest($1::uuid[], $2::text[], $3::uuid[]) as w(account_id, filter_id, after)
        join listeners l on l.account_id = w.account_id and l.filter_id = w.filter_id and l.id > w.after
      ), ${pageOfAccount}`,
    values: [...columnsOf(lookups), lookups.map(({ after }) => after ?? FIRST_ID)],
  })
  return rows
}

function columnsOf(lookups: readonly Lookup[]): readonly [readonly string[], readonly string[]] {
  return [lookups.map(({ accountId }) => accountId), lookups.map(({ filterId }) => filterId)]
}

/** Reads all listeners of some waits. */
export async function readListenersOfWaits(
  client: Client,
  filters: EventFilterCache,
  waits: readonly Pick<StoredListener, 'executionId' | 'position'>[],
): Promise<readonly ListenerRecord[]> {
  if (waits.length === 0) return []
  const { rows } = await client.query<ListenerRow>({
    name: 'listeners-of-waits',
    text: `select ${listenerColumns}
      from (select distinct execution_id, position from unnest($1::uuid[], $2::text[]) as w(execution_id, position)) w
      join listeners l on l.execution_id = w.execution_id and l.position = w.position ${joinFilter} order by l.id`,
    values: [waits.map(({ executionId }) => executionId), waits.map(({ position }) => position)],
  })
  return rows.map((row) => toListener(row, filters))
}
