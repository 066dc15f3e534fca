import type { PoolClient } from 'pg'
import type { Evaluate } from '#events/evaluate.ts'
import { keyOf } from '#events/key.ts'
import type { StoredEvent, StoredFilter } from '#events/stored.ts'
import { keptOfType } from './kept-events.ts'

type Client = Pick<PoolClient, 'query'>

/** Rows written in one statement. */
const BATCH = 1_000

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

/** Writes down everything that is kept and passes a filter which reads nothing of its execution: once, when the first listens with it. */
export async function indexKept(client: Client, filter: StoredFilter, evaluate: Evaluate, breathe: () => Promise<void>): Promise<void> {
  let rows: KeptRow[] = []
  for await (const event of keptOfType(client, filter.accountId, filter.type)) {
    rows.push(...keptRow(event, filter, evaluate))
    if (rows.length >= BATCH) await insertKept(client, rows.splice(0))
    await breathe()
  }
  await insertKept(client, rows)
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

/** From now on whatever is kept and passes these filters is written down. */
export async function markIndexed(client: Client, filters: readonly StoredFilter[]): Promise<void> {
  if (filters.length === 0) return
  await client.query({
    name: 'event-filters-indexed',
    text: `update event_filters f set kept_since = now()
      from unnest($1::uuid[], $2::text[]) as a(account_id, id) where f.account_id = a.account_id and f.id = a.id`,
    values: [filters.map(({ accountId }) => accountId), filters.map(({ id }) => id)],
  })
}
