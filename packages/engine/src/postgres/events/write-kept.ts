import type { PoolClient } from 'pg'
import type { Evaluate } from '#events/evaluate.ts'
import { keyOf } from '#events/key.ts'
import type { StoredEvent, StoredFilter } from '#events/stored.ts'
import { keptOfType } from './kept-events.ts'

type Client = Pick<PoolClient, 'query'>

/** A row of `kept_events`. */
export interface KeptRow {
  readonly accountId: string
  readonly filterId: string
  readonly key: string
  readonly eventId: string
}

/** An event that stays, for a filter that it passes; nothing for one that it does not pass. */
export function keptRow(event: StoredEvent, { accountId, id, filter }: StoredFilter, evaluate: Evaluate): readonly KeptRow[] {
  const values = evaluate(event, { filterId: id, filter }, {})
  return values === undefined ? [] : [{ accountId, filterId: id, key: keyOf(values), eventId: event.id }]
}

/** How far what is kept has been held against a filter that nobody listened with before. */
export interface Indexing {
  readonly filter: StoredFilter
  /** The last event; undefined before the first. */
  readonly to: string | undefined
  readonly done: boolean
  /** How many were held against it in this pass. */
  readonly seen: number
}

/** Writes down what is kept and passes a filter, at most `limit` events further than before. */
export async function indexKept(
  client: Client,
  { filter, to: before }: Pick<Indexing, 'filter' | 'to'>,
  limit: number,
  evaluate: Evaluate,
): Promise<Indexing> {
  const rows: KeptRow[] = []
  let to = before
  let seen = 0
  for await (const event of keptOfType(client, filter.accountId, filter.type, before)) {
    if (seen === limit) break
    rows.push(...keptRow(event, filter, evaluate))
    to = event.id
    seen += 1
  }
  await insertKept(client, rows)
  return { filter, to, done: seen < limit, seen }
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
 * @param indexing by account and id of the filter.
 */
export async function writeIndexing(client: Client, indexing: ReadonlyMap<string, Indexing>): Promise<void> {
  if (indexing.size === 0) return
  // In the order in which filters are written by those who begin to listen.
  const all = [...indexing].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each)
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
