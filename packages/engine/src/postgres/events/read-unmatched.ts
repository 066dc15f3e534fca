import type { PoolClient } from 'pg'
import type { StoredEvent } from '#events/stored.ts'
import type { EventFilterCache } from '#events/filter-cache.ts'
import {
  eventColumns,
  type EventRow,
  type FoundListener,
  listenerColumns,
  type ListenerRow,
  toEvent,
  toListener,
  withFilter,
} from './read-bus.ts'

type Client = Pick<PoolClient, 'query'>

/** Whether there is anything that nobody has looked at: what a process asks that has nothing to do. */
export async function hasUnmatched(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>({
    name: 'unmatched',
    text: `select exists (select from events where matched_at is null) or exists (select from listeners where matched_at is null) as found`,
  })
  return rows[0]?.found === true
}

/** Events that nobody has held against the listeners yet: of every account the oldest, oldest first. */
export async function readUnmatchedEvents(client: Client, limit: number): Promise<readonly StoredEvent[]> {
  const { rows } = await client.query<EventRow>({
    name: 'events-unmatched',
    text: `${turnsOf('events', 'select id from events where account_id = a.id and matched_at is null order by id')}
      select ${eventColumns} from events where id = any(array(select id from turns)) order by id`,
    values: [limit],
  })
  return rows.map(toEvent)
}

/** Listeners that nobody has held against the kept events yet: of every account the oldest, oldest first. */
export async function readUnmatchedListeners(client: Client, filters: EventFilterCache, limit: number): Promise<readonly FoundListener[]> {
  const { rows } = await client.query<ListenerRow>({
    name: 'listeners-unmatched',
    text: `${turnsOf('listeners', `select l.id from listeners l ${withFilter} where l.account_id = a.id and l.matched_at is null order by l.id`)}
      select ${listenerColumns} from listeners l ${withFilter} where l.id = any(array(select id from turns)) order by l.id`,
    values: [limit],
  })
  return rows.map((row) => toListener(row, filters))
}

/**
 * The ids that come next in a table, $1 at most: from every account that has something left about as many, so that nobody waits for what another has in masses. One descent of the
 * partial index for each such account, and one scan of as much of it as the account gets.
 * @param oldest ids of one account `a` that are left, oldest first.
 */
function turnsOf(table: 'events' | 'listeners', oldest: string): string {
  return `with recursive accounts(id) as (
      (select account_id from ${table} where matched_at is null order by account_id limit 1)
      union all
      select (select account_id from ${table} where matched_at is null and account_id > a.id order by account_id limit 1)
      from accounts a where a.id is not null
    ), turns as (
      select o.id from accounts a
      cross join lateral (select id, row_number() over () as turn from (${oldest} limit (select ($1 + count(id) - 1) / greatest(count(id), 1) from accounts)) o) o
      where a.id is not null order by o.turn, o.id limit $1
    )`
}
