import type { PoolClient } from 'pg'
import type { Write } from '#durable/ports/journal.ts'
import type { EventFilterCache } from '#events/filter-cache.ts'
import { type NewListener, listenersOfWait } from '#events/listeners-of-wait.ts'

type Client = Pick<PoolClient, 'query'>

export interface WaitsDeps {
  readonly filters: EventFilterCache
  readonly newId: () => string
}

/** Writes down what was opened: listeners for events, a row for anything else. */
export async function writeWaits(client: Client, writes: readonly Write[], { filters, newId }: WaitsDeps): Promise<void> {
  const opened = writes.flatMap(({ executionId, accountId, waits }) =>
    (waits?.opened ?? [])
      // Ends are written first, so one that was over before it was written down would stay for ever.
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
  const listeners = opened.filter(({ wait }) => wait.topic === 'events').flatMap((each) => listenersOfWait(each, filters, newId))
  if (listeners.length > 0) await insertListeners(client, listeners)
}

async function insertListeners(client: Client, rows: readonly NewListener[]): Promise<void> {
  // In one order for all, so that two that write the same new filters do not wait for one another.
  const filters = [...new Map(rows.map((row) => [`${row.accountId} ${row.filterId}`, row] as const))]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, row]) => row)
  // The time of use keeps a filter from being cleared away; written once an hour, it costs nothing.
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
