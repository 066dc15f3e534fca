import type { PoolClient } from 'pg'
import type { EventFilterCache } from '#events/filter-cache.ts'
import {
  eventColumns,
  type EventRecord,
  type EventRow,
  joinFilter,
  listenerColumns,
  type ListenerRecord,
  type ListenerRow,
  toEvent,
  toListener,
} from './records.ts'

type Client = Pick<PoolClient, 'query'>

/** The accounts of a slice: all but some, or one. */
export type AccountSelection = { readonly except: readonly string[] } | { readonly only: string }

const EVENTS_MAX = 256
const LISTENERS_MAX = 256
/** Bytes of one account, beyond its first row. */
const BYTES_MAX = 2 * 1024 * 1024

/** The check of an idle process, without the matcher's lock. */
export async function hasUnmatched(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ has_unmatched: boolean }>({
    name: 'has-unmatched',
    text: `select exists (select from events where matched_at is null) or exists (select from listeners where matched_at is null) as has_unmatched`,
  })
  return rows[0]?.has_unmatched === true
}

/** Reads events that have not been matched with all listeners: the oldest of every account, oldest first. */
export async function readUnmatchedEvents(client: Client, accounts: AccountSelection): Promise<readonly EventRecord[]> {
  const { rows } = await client.query<EventRow>({
    name: `events-unmatched${suffixOf(accounts)}`,
    text: `${fairShares('events', accounts, 'select id, envelope as content from events where account_id = a.id and matched_at is null order by id')}
      select ${eventColumns} from events where id = any(array(select id from shares)) order by id`,
    values: [EVENTS_MAX, valueOf(accounts)],
  })
  return rows.map(toEvent)
}

/** Reads listeners that have not been matched with all kept events: the oldest of every account, oldest first. */
export async function readUnmatchedListeners(
  client: Client,
  filters: EventFilterCache,
  accounts: AccountSelection,
): Promise<readonly ListenerRecord[]> {
  const oldest = `select l.id, l.scope as content from listeners l ${joinFilter} where l.account_id = a.id and l.matched_at is null order by l.id`
  const { rows } = await client.query<ListenerRow>({
    name: `listeners-unmatched${suffixOf(accounts)}`,
    text: `${fairShares('listeners', accounts, oldest)}
      select ${listenerColumns} from listeners l ${joinFilter} where l.id = any(array(select id from shares)) order by l.id`,
    values: [LISTENERS_MAX, valueOf(accounts)],
  })
  return rows.map((row) => toListener(row, filters))
}

function suffixOf(accounts: AccountSelection): string {
  return 'only' in accounts ? '-of-account' : ''
}

function valueOf(accounts: AccountSelection): string | readonly string[] {
  return 'only' in accounts ? accounts.only : accounts.except
}

/**
 * The first $1 unmatched ids of a table, about as many of every account, so that an account with many rows does not delay the others. One descent of the partial
 * index for each account with unmatched rows, and one scan of the account's share.
 * @param oldest selects the unmatched ids of the account `a`, oldest first, each with the content that counts towards the bytes of the account.
 */
function fairShares(table: 'events' | 'listeners', accounts: AccountSelection, oldest: string): string {
  return `with recursive ${'only' in accounts ? `accounts(id) as (select $2::uuid)` : accountsOf(table)}, shares as (
      select o.id from accounts a
      cross join lateral (
        select id, place from (
          select id, row_number() over () as place, sum(octet_length(content::text)) over (order by id) - octet_length(content::text) as bytes_before
          from (${oldest} limit (select ($1 + count(id) - 1) / greatest(count(id), 1) from accounts)) o
        ) o where place = 1 or coalesce(bytes_before, 0) < ${BYTES_MAX}
      ) o
      order by o.place, o.id limit $1
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
