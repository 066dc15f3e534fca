import type { PoolClient } from 'pg'
import type { StoredFilter } from '#events/stored.ts'

type Client = Pick<PoolClient, 'query'>

/** A row of `kept_events`. */
export interface KeptRow {
  readonly accountId: string
  readonly filterId: string
  readonly key: string
  readonly eventId: string
}

/** How far what is kept has been held against a filter that nobody listened with before. */
export interface Indexing {
  readonly filter: StoredFilter
  /** The last event; undefined before the first. */
  readonly to: string | undefined
  readonly done: boolean
}

export async function insertKept(client: Client, rows: readonly KeptRow[]): Promise<void> {
  if (rows.length === 0) return
  await client.query({
    name: 'kept-events',
    text: `insert into kept_events (account_id, filter_id, key, event_id)
      select * from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[]) on conflict do nothing`,
    values: [
      rows.map(({ accountId }) => accountId),
      rows.map(({ filterId }) => filterId),
      rows.map(({ key }) => key),
      rows.map(({ eventId }) => eventId),
    ],
  })
}

/** Events that somebody has taken. */
export async function deleteKept(client: Client, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length === 0) return
  await client.query({ name: 'kept-events-taken', text: `delete from kept_events where event_id = any($1::uuid[])`, values: [eventIds] })
}

/**
 * Writes down how far filters have been asked; from the beginning on, whatever comes to be kept and passes them is written down at once.
 */
export async function writeIndexing(client: Client, indexing: readonly Indexing[]): Promise<void> {
  if (indexing.length === 0) return
  // In the order in which filters are written by those who begin to listen.
  const nameOf = ({ filter: { accountId, id } }: Indexing) => `${accountId} ${id}`
  const all = indexing.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
  await client.query({
    name: 'event-filters-indexed',
    text: `update event_filters f set kept_to = a.kept_to, kept_since = case when a.done then now() end
      from unnest($1::uuid[], $2::text[], $3::uuid[], $4::bool[]) as a(account_id, id, kept_to, done)
      where f.account_id = a.account_id and f.id = a.id`,
    values: [
      all.map(({ filter }) => filter.accountId),
      all.map(({ filter }) => filter.id),
      all.map(({ to }) => to ?? null),
      all.map(({ done }) => done),
    ],
  })
}
