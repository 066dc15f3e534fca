import type { PoolClient } from 'pg'
import type { StoredFilter } from '#events/stored.ts'
import { FIRST_ID } from './id-order.ts'
import { eventColumns, type EventRecord, type EventRow, type ListenerRecord, type Page, toEvent } from './records.ts'

type Client = Pick<PoolClient, 'query'>

/** A row of `kept_events`: a kept event that passes a filter, by the correlation key that it has there. */
export interface KeptEventRow {
  readonly accountId: string
  readonly filterId: string
  readonly key: string
  readonly eventId: string
}

/** How far the kept events have been indexed for a filter. */
export interface IndexProgress {
  readonly filter: StoredFilter
  /** The last event; undefined before the first. */
  readonly to: string | undefined
  readonly isComplete: boolean
}

/** The next kept events that some listeners might match. */
export interface KeptStream {
  readonly listeners: readonly ListenerRecord[]
  readonly page: Page<EventRecord>
}

/** Events that are read at a time: of a type, and of a correlation key for a wait that takes many; and bytes of either page. */
const PAGE_OF_TYPE = 200
const PAGE_OF_KEY = 100
const PAGE_BYTES = 4 * 1024 * 1024

/** Reads the kept events that listeners of one account might match: by correlation key where the index has it, otherwise by type. */
export async function readKeptStreams(
  client: Client,
  accountId: string,
  listeners: readonly ListenerRecord[],
): Promise<readonly KeptStream[]> {
  const streams = [...(await readByKey(client, accountId, listeners.filter(isKeyed)))]
  const unkeyed = listeners.filter((listener) => !isKeyed(listener))
  for (const [type, ofType] of Map.groupBy(unkeyed, ({ filter }) => filter.type)) {
    const page = await readKeptEvents(client, { accountId, type }, keptToOf(ofType), PAGE_OF_TYPE)
    streams.push({ listeners: ofType, page })
  }
  return streams
}

/** Whether the index `kept_events` finds the events that a listener wants. */
export function isKeyed({ key, filter }: ListenerRecord): boolean {
  return key !== undefined && !filter.readsScope
}

/** Reads kept events of an account, of one type or all, oldest first. */
export async function readKeptEvents(
  client: Client,
  { accountId, type }: Pick<StoredFilter, 'accountId' | 'type'>,
  after: string | undefined,
  limit: number,
): Promise<Page<EventRecord>> {
  const { rows } = await client.query<EventRow & { readonly bytes: string }>({
    name: type === undefined ? 'events-kept' : 'events-kept-of-type',
    text: `select * from (
        select *, sum(octet_length(envelope::text)) over (order by id) as bytes from (
          select ${eventColumns} from events
          where account_id = $1 and ${type === undefined ? '$2::text is null' : 'type = $2'} and not taken and id > $3
            and matched_at is not null and expires_at > now()
          order by id limit $4
        ) e
      ) e where bytes - octet_length(envelope::text) <= ${PAGE_BYTES} order by id`,
    values: [accountId, type ?? null, after ?? FIRST_ID, limit],
  })
  return pageOf(rows, limit)
}

interface KeyedRow extends EventRow {
  readonly place: string
}

/** One descent of the primary key of kept_events for each key, whatever the number of events; a listener that takes one event needs no more than one. */
async function readByKey(client: Client, accountId: string, listeners: readonly ListenerRecord[]): Promise<readonly KeptStream[]> {
  const byKey = [...Map.groupBy(listeners, ({ filterId, key }) => `${filterId} ${key}`).values()]
  if (byKey.length === 0) return []
  const limits = byKey.map((ofKey) => Math.min(PAGE_OF_KEY, ofKey.some(({ takes }) => takes === 'many') ? PAGE_OF_KEY : ofKey.length))
  const { rows } = await client.query<KeyedRow>({
    name: 'events-kept-of-keys',
    text: `select w.place, e.* from unnest($2::text[], $3::text[], $4::uuid[], $5::int4[]) with ordinality as w(filter_id, key, after, most, place)
      cross join lateral (
        select ${eventColumns} from kept_events k join events on events.id = k.event_id
        where k.account_id = $1 and k.filter_id = w.filter_id and k.key = w.key and k.event_id > w.after and events.expires_at > now()
        order by k.event_id limit w.most
      ) e order by w.place, e.id`,
    values: [
      accountId,
      byKey.map(([listener]) => listener?.filterId),
      byKey.map(([listener]) => listener?.key),
      byKey.map((ofKey) => keptToOf(ofKey) ?? FIRST_ID),
      limits,
    ],
  })
  const byPlace = Map.groupBy(rows, ({ place }) => Number(place) - 1)
  return byKey.map((ofKey, place) => ({ listeners: ofKey, page: pageOf(byPlace.get(place) ?? [], limits[place] ?? 0) }))
}

/** The event up to which all the listeners have been matched with the kept events. */
function keptToOf(listeners: readonly ListenerRecord[]): string | undefined {
  let least = listeners[0]?.keptTo
  for (const { keptTo } of listeners) {
    if (keptTo === undefined) return undefined
    if (least === undefined || keptTo < least) least = keptTo
  }
  return least
}

function pageOf(rows: readonly (EventRow & { readonly bytes?: string })[], limit: number): Page<EventRecord> {
  const last = rows.at(-1)
  const isCut = last !== undefined && (rows.length >= limit || Number(last.bytes ?? 0) > PAGE_BYTES)
  return { items: rows.map(toEvent), to: isCut ? last.id : undefined }
}

export async function insertKeptEvents(client: Client, rows: readonly KeptEventRow[]): Promise<void> {
  if (rows.length === 0) return
  await client.query({
    name: 'kept-events-insert',
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

/** Removes events that a listener has received from the index. */
export async function deleteKeptEvents(client: Client, eventIds: readonly string[]): Promise<void> {
  if (eventIds.length === 0) return
  await client.query({ name: 'kept-events-delete', text: `delete from kept_events where event_id = any($1::uuid[])`, values: [eventIds] })
}

/** Stores how far the kept events are indexed for filters. Once a filter has progress, events that become kept and pass it are indexed at once. */
export async function writeIndexProgress(client: Client, progress: readonly IndexProgress[]): Promise<void> {
  if (progress.length === 0) return
  // In the order in which `writeWaits` locks filters.
  const lockKeyOf = ({ filter: { accountId, id } }: IndexProgress) => `${accountId} ${id}`
  const ordered = progress.toSorted((a, b) => (lockKeyOf(a) < lockKeyOf(b) ? -1 : 1))
  await client.query({
    name: 'event-filters-indexed',
    text: `update event_filters f set kept_to = p.kept_to, kept_since = case when p.is_complete then now() end
      from unnest($1::uuid[], $2::text[], $3::uuid[], $4::bool[]) as p(account_id, id, kept_to, is_complete)
      where f.account_id = p.account_id and f.id = p.id`,
    values: [
      ordered.map(({ filter }) => filter.accountId),
      ordered.map(({ filter }) => filter.id),
      ordered.map(({ to }) => to ?? null),
      ordered.map(({ isComplete }) => isComplete),
    ],
  })
}
