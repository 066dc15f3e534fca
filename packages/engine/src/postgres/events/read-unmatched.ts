import type { PoolClient } from 'pg'
import type { EventFilterCache } from '#events/filter-cache.ts'
import {
  eventColumns,
  type EventRow,
  type FoundEvent,
  type FoundListener,
  listenerColumns,
  type ListenerRow,
  toEvent,
  toListener,
  withFilter,
} from './read-bus.ts'

type Client = Pick<PoolClient, 'query'>

/** Which accounts are looked at: all but some, or one. */
export type Accounts = { readonly but: readonly string[] } | { readonly only: string }

const EVENTS_MAX = 256
const LISTENERS_MAX = 256
/** Of one account, whatever the number. */
const BYTES_MAX = 2 * 1024 * 1024

/** Whether there is anything that nobody has looked at: what a process asks that has nothing to do. */
export async function hasUnmatched(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>({
    name: 'unmatched',
    text: `select exists (select from events where matched_at is null) or exists (select from listeners where matched_at is null) as found`,
  })
  return rows[0]?.found === true
}

/** Events that nobody has held against the listeners yet: of every account the oldest, oldest first. */
export async function readUnmatchedEvents(client: Client, accounts: Accounts): Promise<readonly FoundEvent[]> {
  const { rows } = await client.query<EventRow>({
    name: `events-unmatched${suffixOf(accounts)}`,
    text: `${turnsOf('events', accounts, 'select id, envelope as content from events where account_id = a.id and matched_at is null order by id')}
      select ${eventColumns} from events where id = any(array(select id from turns)) order by id`,
    values: [EVENTS_MAX, valueOf(accounts)],
  })
  return rows.map(toEvent)
}

/** Listeners that nobody has held against the kept events yet: of every account the oldest, oldest first. */
export async function readUnmatchedListeners(
  client: Client,
  filters: EventFilterCache,
  accounts: Accounts,
): Promise<readonly FoundListener[]> {
  const oldest = `select l.id, l.scope as content from listeners l ${withFilter} where l.account_id = a.id and l.matched_at is null order by l.id`
  const { rows } = await client.query<ListenerRow>({
    name: `listeners-unmatched${suffixOf(accounts)}`,
    text: `${turnsOf('listeners', accounts, oldest)}
      select ${listenerColumns} from listeners l ${withFilter} where l.id = any(array(select id from turns)) order by l.id`,
    values: [LISTENERS_MAX, valueOf(accounts)],
  })
  return rows.map((row) => toListener(row, filters))
}

function suffixOf(accounts: Accounts): string {
  return 'only' in accounts ? '-of-account' : ''
}

function valueOf(accounts: Accounts): string | readonly string[] {
  return 'only' in accounts ? accounts.only : accounts.but
}

/**
 * The ids that come next in a table, $1 at most: from every account that has something left about as many, so that nobody waits for what another has in masses. One descent of the
 * partial index for each such account, and one scan of as much of it as the account gets.
 * @param oldest ids of one account `a` that are left, oldest first, each with what counts towards the bytes of the account.
 */
function turnsOf(table: 'events' | 'listeners', accounts: Accounts, oldest: string): string {
  return `with recursive ${'only' in accounts ? `accounts(id) as (select $2::uuid)` : accountsOf(table)}, turns as (
      select o.id from accounts a
      cross join lateral (
        select id, turn from (
          select id, row_number() over () as turn, sum(octet_length(content::text)) over (order by id) - octet_length(content::text) as before
          from (${oldest} limit (select ($1 + count(id) - 1) / greatest(count(id), 1) from accounts)) o
        ) o where turn = 1 or coalesce(before, 0) < ${BYTES_MAX}
      ) o
      order by o.turn, o.id limit $1
    )`
}

function accountsOf(table: 'events' | 'listeners'): string {
  return `known(id) as (
      (select account_id from ${table} where matched_at is null order by account_id limit 1)
      union all
      select (select account_id from ${table} where matched_at is null and account_id > k.id order by account_id limit 1)
      from known k where k.id is not null
    ), accounts as (select id from known where id is not null and id <> all($2::uuid[]))`
}
