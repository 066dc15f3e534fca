import type { PoolClient } from 'pg'
import type { Write } from '#durable/ports/journal.ts'
import type { EventFilterCache } from '#events/filter-cache.ts'
import { buildListeners, type NewListener } from '#events/listeners-of-wait.ts'
import { createYielder } from './yielder.ts'

type Client = Pick<PoolClient, 'query'>

export interface WaitsDeps {
  readonly filters: EventFilterCache
  readonly newId: () => string
}

/** Rows of one insertion: their columns are serialised without a turn of the event loop. */
const LISTENERS_PER_INSERT = 1_000

/** Inserts opened waits: listeners for waits for events, a row of `waits` for others. */
export async function writeWaits(client: Client, writes: readonly Write[], { filters, newId }: WaitsDeps): Promise<void> {
  const opened = writes.flatMap(({ executionId, accountId, waits }) =>
    (waits?.opened ?? [])
      // The ends of waits are written first, so a wait that opened and ended in the same flush is not inserted: it would stay for ever.
      .filter(({ position }) => waits?.closed.includes(position) !== true)
      .map((wait) => ({ executionId, accountId, wait })),
  )
  const others = opened.filter(({ wait }) => wait.topic !== 'events')
  if (others.length > 0) {
    await client.query({
      name: 'waits-opened',
      text: `insert into waits (execution_id, position, account_id, topic, arguments, opened_at)
        select w.execution_id, w.position, w.account_id, w.topic, w.arguments::json, now()
        from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::text[]) as w(execution_id, position, account_id, topic, arguments)
        on conflict do nothing`,
      values: [
        others.map(({ executionId }) => executionId),
        others.map(({ wait }) => wait.position),
        others.map(({ accountId }) => accountId),
        others.map(({ wait }) => wait.topic),
        others.map(({ wait }) => JSON.stringify(wait.arguments)),
      ],
    })
  }
  const yielder = createYielder(() => performance.now())
  const listeners: NewListener[] = []
  for (const wait of opened.filter((candidate) => candidate.wait.topic === 'events'))
    for (const listener of await yielder.run(buildListeners(wait, filters, newId))) listeners.push(listener)
  for (let from = 0; from < listeners.length; from += LISTENERS_PER_INSERT)
    await insertListeners(client, listeners.slice(from, from + LISTENERS_PER_INSERT))
}

async function insertListeners(client: Client, rows: readonly NewListener[]): Promise<void> {
  // In one order in all processes, so that two that insert the same filters do not deadlock.
  const filters = [...new Map(rows.map((row) => [`${row.accountId} ${row.filterId}`, row] as const))]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => row)
  // The time of use protects a filter from deletion. It is written at most once an hour.
  await client.query({
    name: 'event-filters',
    text: `insert into event_filters as f (account_id, id, type, filter, used_at)
      select r.account_id, r.id, r.type, r.filter::json, now()
      from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) as r(account_id, id, type, filter)
      on conflict (account_id, id) do update set used_at = now() where f.used_at < now() - interval '1 hour'`,
    values: [
      filters.map(({ accountId }) => accountId),
      filters.map(({ filterId }) => filterId),
      filters.map(({ filterType }) => filterType ?? null),
      filters.map(({ source }) => JSON.stringify(source)),
    ],
  })
  await client.query({
    name: 'listeners',
    text: `insert into listeners (id, account_id, execution_id, position, role, index, takes, filter_id, expected, open_names, key, scope)
      select r.id, r.account_id, r.execution_id, r.position, r.role, r.index, r.takes, r.filter_id, r.expected::json,
        array(select json_array_elements_text(r.open_names::json)), r.key, r.scope::json
      from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::int2[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[])
        as r(id, account_id, execution_id, position, role, index, takes, filter_id, expected, open_names, key, scope)`,
    values: [
      rows.map(({ id }) => id),
      rows.map(({ accountId }) => accountId),
      rows.map(({ executionId }) => executionId),
      rows.map(({ position }) => position),
      rows.map(({ role }) => role),
      rows.map(({ index }) => index),
      rows.map(({ takes }) => takes),
      rows.map(({ filterId }) => filterId),
      rows.map(({ expected }) => JSON.stringify(expected)),
      rows.map(({ openNames }) => JSON.stringify(openNames)),
      rows.map(({ key }) => key ?? null),
      rows.map(({ filter, scope }) => (filter.readsScope ? JSON.stringify(scope) : null)),
    ],
  })
}
