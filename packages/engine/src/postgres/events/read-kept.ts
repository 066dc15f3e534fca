import type { PoolClient } from 'pg'
import type { StoredFilter } from '#events/stored.ts'
import { eventColumns, type EventRow, type FoundEvent, type FoundListener, type Page, toEvent } from './read-bus.ts'

type Client = Pick<PoolClient, 'query'>

/** Events of a type that are read at a time for listeners, events of a key for one that goes on, and bytes of either. */
const TYPED_PAGE = 200
const KEYED_PAGE = 100
const PAGE_BYTES = 4 * 1024 * 1024
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** What is kept that some listeners might take, from where they have been held against it. */
export interface KeptStream {
  readonly listeners: readonly FoundListener[]
  readonly page: Page<FoundEvent>
}

/**
 * What is kept that listeners of one account might take: by the index of what their filters correlate by, and for those whose values are not known before by the type.
 */
export async function readKept(client: Client, accountId: string, listeners: readonly FoundListener[]): Promise<readonly KeptStream[]> {
  const [keyed, others] = [listeners.filter(isKeyed), listeners.filter((one) => !isKeyed(one))]
  const streams = [...(await readKeyed(client, accountId, keyed))]
  for (const [type, all] of Map.groupBy(others, ({ filter }) => filter.type)) {
    const page = await readKeptEvents(client, { accountId, type }, afterOf(all), TYPED_PAGE)
    streams.push({ listeners: all, page })
  }
  return streams
}

/** Whether what it wants is found by the index of what is kept. */
export function isKeyed({ key, filter }: FoundListener): boolean {
  return key !== undefined && !filter.readsScope
}

/** Events that have been held against the listeners and were taken by nobody, oldest first. */
export async function readKeptEvents(
  client: Client,
  { accountId, type }: Pick<StoredFilter, 'accountId' | 'type'>,
  after: string | undefined,
  limit: number,
): Promise<Page<FoundEvent>> {
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

/** One descent of the primary key of kept_events for each key, whatever is kept; who takes one event needs no more than one. */
async function readKeyed(client: Client, accountId: string, listeners: readonly FoundListener[]): Promise<readonly KeptStream[]> {
  const asked = [...Map.groupBy(listeners, ({ filterId, key }) => `${filterId} ${key}`).values()]
  if (asked.length === 0) return []
  const limits = asked.map((all) => Math.min(KEYED_PAGE, all.some(({ takes }) => takes === 'many') ? KEYED_PAGE : all.length))
  const { rows } = await client.query<KeyedRow>({
    name: 'events-kept-of-keys',
    text: `select a.place, e.* from unnest($2::text[], $3::text[], $4::uuid[], $5::int4[]) with ordinality as a(filter_id, key, after, most, place)
      cross join lateral (
        select ${eventColumns} from kept_events k join events on events.id = k.event_id
        where k.account_id = $1 and k.filter_id = a.filter_id and k.key = a.key and k.event_id > a.after and events.expires_at > now()
        order by k.event_id limit a.most
      ) e order by a.place, e.id`,
    values: [
      accountId,
      asked.map(([one]) => one?.filterId),
      asked.map(([one]) => one?.key),
      asked.map((all) => afterOf(all) ?? FIRST_ID),
      limits,
    ],
  })
  const byPlace = Map.groupBy(rows, ({ place }) => Number(place) - 1)
  return asked.map((all, place) => ({ listeners: all, page: pageOf(byPlace.get(place) ?? [], limits[place] ?? 0) }))
}

/** The least of where they have been held against what is kept. */
function afterOf(listeners: readonly FoundListener[]): string | undefined {
  let least = listeners[0]?.keptTo
  for (const { keptTo } of listeners) {
    if (keptTo === undefined) return undefined
    if (least === undefined || keptTo < least) least = keptTo
  }
  return least
}

function pageOf(rows: readonly (EventRow & { readonly bytes?: string })[], limit: number): Page<FoundEvent> {
  const last = rows.at(-1)
  const isCut = last !== undefined && (rows.length >= limit || Number(last.bytes ?? 0) > PAGE_BYTES)
  return { items: rows.map(toEvent), to: isCut ? last.id : undefined }
}
