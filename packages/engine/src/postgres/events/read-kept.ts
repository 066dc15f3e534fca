import type { PoolClient } from 'pg'
import type { StoredEvent, StoredFilter } from '#events/stored.ts'
import { eventColumns, type EventRow, toEvent } from './read-bus.ts'

type Client = Pick<PoolClient, 'query'>

/** Events that pass a filter with the values of a key. */
export interface KeptLookup {
  readonly accountId: string
  readonly filterId: string
  readonly key: string
}

/** Events that have been held against the listeners and were taken by nobody, oldest first. */
export async function readKeptEvents(
  client: Client,
  { accountId, type }: Pick<StoredFilter, 'accountId' | 'type'>,
  after: string,
  limit: number,
): Promise<readonly StoredEvent[]> {
  const { rows } = await client.query<EventRow>({
    name: type === undefined ? 'events-kept' : 'events-kept-of-type',
    text: `select ${eventColumns} from events
      where account_id = $1 and ${type === undefined ? '$2::text is null' : 'type = $2'} and not taken and id > $3
        and matched_at is not null and expires_at > now()
      order by id limit $4`,
    values: [accountId, type ?? null, after, limit],
  })
  return rows.map(toEvent)
}

/** The oldest event of each, by its place; without those that have none. One descent of the primary key of kept_events each, whatever is kept. */
export async function readKeptFirst(
  client: Client,
  accountId: string,
  lookups: readonly KeptLookup[],
): Promise<ReadonlyMap<number, StoredEvent>> {
  if (lookups.length === 0) return new Map()
  const { rows } = await client.query<EventRow & { readonly place: string }>({
    name: 'events-kept-first',
    text: `select a.place, e.* from unnest($2::text[], $3::text[]) with ordinality as a(filter_id, key, place)
      cross join lateral (
        select ${eventColumns} from kept_events k join events on events.id = k.event_id
        where k.account_id = $1 and k.filter_id = a.filter_id and k.key = a.key and events.expires_at > now()
        order by k.event_id limit 1
      ) e`,
    values: [accountId, lookups.map(({ filterId }) => filterId), lookups.map(({ key }) => key)],
  })
  return new Map(rows.map((row) => [Number(row.place) - 1, toEvent(row)]))
}

/** The next events of one, oldest first. */
export async function readKeptOfKey(
  client: Client,
  { accountId, filterId, key }: KeptLookup,
  after: string,
  limit: number,
): Promise<readonly StoredEvent[]> {
  const { rows } = await client.query<EventRow>({
    name: 'events-kept-of-key',
    text: `select ${eventColumns} from kept_events k join events on events.id = k.event_id
      where k.account_id = $1 and k.filter_id = $2 and k.key = $3 and k.event_id > $4 and events.expires_at > now()
      order by k.event_id limit $5`,
    values: [accountId, filterId, key, after, limit],
  })
  return rows.map(toEvent)
}
