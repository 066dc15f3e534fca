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
}

/** A listener as the database has it. */
export interface FoundListener extends StoredListener {
  /** It has not been held against what is kept. */
  readonly fresh: boolean
  /** Whether everything kept that passes its filter is in `kept_events`. */
  readonly indexed: boolean
  /** Where it is not, the last event that was held against the filter for that. */
  readonly indexedTo: string | undefined
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
}

export const eventColumns = 'events.id, events.account_id, events.type, events.envelope, events.expires_at <= now() as expired'
export const listenerColumns = `l.id, l.account_id, l.execution_id, l.position, l.role, l.index, l.takes, l.filter_id, l.expected, l.open_names, l.key, l.scope,
  l.matched_at is null as fresh, f.filter, f.kept_since is not null as indexed, f.kept_to as indexed_to`
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
}

/** Whoever listens with these filters: by the index where the key is known, those among them whose values the first event decides. */
export async function readListeners(
  client: Client,
  filters: EventFilterCache,
  lookups: readonly Lookup[],
): Promise<readonly FoundListener[]> {
  const keyed = lookups.filter(({ key }) => key !== undefined)
  const whole = lookups.filter(({ key }) => key === undefined)
  const found = [...(await readByKey(client, filters, keyed)), ...(await readWhole(client, filters, whole))]
  return found.toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

// Two descents of listeners_by_key for each key, whatever the number of listeners. It stands alone because the planner takes any filter to have as many
// listeners as the average one: beside the statement below it read the whole table.
async function readByKey(client: Client, filters: EventFilterCache, lookups: readonly Lookup[]): Promise<readonly FoundListener[]> {
  if (lookups.length === 0) return []
  const { rows } = await client.query<ListenerRow>({
    name: 'listeners-by-key',
    text: `with asked as (select * from unnest($1::uuid[], $2::text[], $3::text[]) as a(account_id, filter_id, key)),
        l as (
          select l.* from asked a join listeners l on l.account_id = a.account_id and l.filter_id = a.filter_id and l.key = a.key
          union all
          select l.* from (select distinct account_id, filter_id from asked) a
            join listeners l on l.account_id = a.account_id and l.filter_id = a.filter_id and l.key is null
        )
      select ${listenerColumns} from l ${withFilter}`,
    values: [lookups.map(({ accountId }) => accountId), lookups.map(({ filterId }) => filterId), lookups.map(({ key }) => key)],
  })
  return rows.map((row) => toListener(row, filters))
}

async function readWhole(client: Client, filters: EventFilterCache, lookups: readonly Lookup[]): Promise<readonly FoundListener[]> {
  if (lookups.length === 0) return []
  const { rows } = await client.query<ListenerRow>({
    name: 'listeners-of-filter',
    text: `select ${listenerColumns} from unnest($1::uuid[], $2::text[]) as a(account_id, filter_id)
      join listeners l on l.account_id = a.account_id and l.filter_id = a.filter_id ${withFilter}`,
    values: [lookups.map(({ accountId }) => accountId), lookups.map(({ filterId }) => filterId)],
  })
  return rows.map((row) => toListener(row, filters))
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

export function toEvent({ id, account_id: accountId, type, envelope, expired }: EventRow): StoredEvent {
  return { id, accountId, type, event: objectOf(envelope), expired }
}

export function toListener(row: ListenerRow, filters: EventFilterCache): FoundListener {
  const { id, position, role, index, takes, fresh, indexed } = row
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
    scope: row.scope === null ? {} : objectOf(row.scope),
    fresh,
    indexed,
    indexedTo: row.indexed_to ?? undefined,
  }
}

/** What is not an object is one without members: it passes nothing, and holds nothing up. */
function objectOf(text: string): JsonObject {
  return membersOf(parseJson(text))
}
