import { deleteOrphanedWaits, deleteUnusedFilters } from '@millrace/engine/storage'
import { type Kysely, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { Rows } from '#platform/db/rows.ts'
import { createTestDatabase } from '#testing/database.ts'
import { abandonPending } from './deliveries/delivery-store.ts'
import { deleteDeliveredEvents, deleteDeliveriesAndEventsOf, deleteEndedDeliveries, endUnsendableDeliveries } from './retention.ts'

const account = '01890a5d-ac96-774b-bcce-b302099a8057'
const other = '01890a5d-ac96-774b-bcce-b302099a8058'
const hour = 3_600_000

type Db = Kysely<Rows>

/** The remaining rows of a table, by a column that identifies them in the test. */
async function left(db: Db, table: string, column: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select ${sql.ref(column)}::text as name from ${sql.table(table)} order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

async function insertEvent(db: Db, name: string, expires: string, accountId = account): Promise<void> {
  await sql`insert into events (id, account_id, source, event_id, type, envelope, received_at, expires_at)
    values (millrace_uuid_v7(), ${accountId}, '/a', ${name}, 'a', '{}', now(), now() + ${expires}::interval)`.execute(db)
}

async function insertDelivery(
  db: Db,
  name: string,
  { event, ended }: { readonly event?: string; readonly ended?: string },
  accountId = account,
) {
  const state = ended === undefined ? 'pending' : 'delivered'
  await sql`insert into event_deliveries (id, account_id, subscription_id, event_id, event_type, state, due_at, created_at, ended_at)
    values (millrace_uuid_v7(), ${accountId}, millrace_uuid_v7(), (select id from events where event_id = ${event ?? null}), ${name}, ${state},
      case when ${ended === undefined} then now() end, now(), now() + ${ended ?? null}::interval)`.execute(db)
}

async function insertFilter(db: Db, name: string, used: string, accountId = account): Promise<void> {
  await sql`insert into event_filters (account_id, id, filter, used_at) values (${accountId}, ${name}, '{}', now() + ${used}::interval)`.execute(
    db,
  )
}

/** An event that is kept, as one that passes the filter of the same name. */
async function insertKept(db: Db, name: string, filter = name, accountId = account): Promise<void> {
  await sql`insert into kept_events (account_id, filter_id, key, event_id)
    select ${accountId}, ${filter}, 'k', id from events where event_id = ${name}`.execute(db)
}

async function insertExecution(db: Db, state: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into executions (id, account_id, workflow_id, version_id, state, trigger, actor, input, created_at)
    values (millrace_uuid_v7(), ${account}, ${account}, ${account}, ${state}, 'manual', 'user:x', '{}', now()) returning id`.execute(db)
  return rows[0]?.id ?? ''
}

/** Of every kind one that waits for the execution. */
async function insertWaits(db: Db, executionId: string, name: string, accountId = account): Promise<void> {
  await sql`
    with l as (
      insert into listeners (id, account_id, execution_id, position, role, index, takes, filter_id, expected, open_names)
      values (millrace_uuid_v7(), ${accountId}, ${executionId}, ${name}, 'event', 0, 'one', ${name}, '{}', '{}')
    ), w as (
      insert into waits (execution_id, position, account_id, topic, arguments, opened_at) values (${executionId}, ${name}, ${accountId}, 'x', '{}', now())
    )
    insert into messages (account_id, execution_id, position, value) values (${accountId}, ${executionId}, ${name}, '{}')`.execute(db)
}

describe('events', () => {
  test('expired events are deleted in batches, the oldest first', async () => {
    await using made = await createTestDatabase()
    const db = made.database.system
    for (const [name, expires] of [
      ['a', '-2 hours'],
      ['b', '-1 hour'],
      ['c', '-1 second'],
      ['d', '1 minute'],
    ] as const) {
      await insertEvent(db, name, expires)
      await insertKept(db, name)
    }
    await deleteDeliveredEvents(db, 2)
    expect(await left(db, 'events', 'event_id')).toEqual(['c', 'd'])
    expect(await left(db, 'kept_events', 'filter_id')).toEqual(['c', 'd'])
    await deleteDeliveredEvents(db, 2)
    expect(await left(db, 'events', 'event_id')).toEqual(['d'])
  })

  test('events with pending deliveries are not deleted', async () => {
    await using made = await createTestDatabase()
    const db = made.database.system
    for (const name of ['pending', 'delivered']) await insertEvent(db, name, '-1 hour')
    await insertDelivery(db, 'x', { event: 'pending' })
    await insertDelivery(db, 'y', { event: 'delivered', ended: '-1 minute' })
    await deleteDeliveredEvents(db, 10)
    expect(await left(db, 'events', 'event_id')).toEqual(['pending'])
  })
})

test('ended deliveries are deleted after their retention period and never before', async () => {
  await using made = await createTestDatabase()
  const db = made.database.system
  for (const [name, ended] of [
    ['a', '-3 hours'],
    ['b', '-2 hours'],
    ['c', '-10 minutes'],
  ] as const)
    await insertDelivery(db, name, { ended })
  await insertDelivery(db, 'pending', {})
  const before = new Date(Date.now() - hour)
  await deleteEndedDeliveries(db, before, 1)
  expect(await left(db, 'event_deliveries', 'event_type')).toEqual(['b', 'c', 'pending'])
  await deleteEndedDeliveries(db, before, 10)
  expect(await left(db, 'event_deliveries', 'event_type')).toEqual(['c', 'pending'])
})

async function insertSubscription(db: Db, name: string, enabled: boolean, reason?: string): Promise<string> {
  const { rows } = await sql<{ readonly id: string }>`
    with s as (
      insert into event_subscriptions (id, account_id, name, url, types, enabled, disabled_reason, secret, revision, created_at, created_by,
        updated_at, updated_by)
      values (millrace_uuid_v7(), ${account}, ${name}, 'http://x', '{a}', ${enabled}, ${reason ?? null}, '\\x00', 1, now(), 'x', now(), 'x')
      returning id
    )
    insert into event_deliveries (id, account_id, subscription_id, event_type, event, state, due_at, created_at)
    select millrace_uuid_v7(), ${account}, s.id, ${name}, '{"n":1}', 'pending', now(), now() from s returning subscription_id as id`.execute(
    db,
  )
  return rows[0]?.id ?? ''
}

describe('deliveries that nothing will send', () => {
  test('those of a deleted subscription are deleted, in batches, pending ones of a disabled one become dead letters, and others stay', async () => {
    await using made = await createTestDatabase()
    const db = made.database.system
    await sql`insert into accounts (id, name) values (${account}, 'x')`.execute(db)
    for (const name of ['deleted 1', 'deleted 2', 'deleted 3']) await insertDelivery(db, name, {})
    await insertDelivery(db, 'deleted 4', { ended: '-1 minute' })
    await insertSubscription(db, 'disabled', false)
    await insertSubscription(db, 'refused', false, 'refused')
    const enabled = await insertSubscription(db, 'enabled', true)
    await insertDelivery(db, 'ended', { ended: '-1 minute' })
    await sql`update event_deliveries set subscription_id = ${enabled} where event_type = 'ended'`.execute(db)
    const states = async () =>
      (await sql<{ type: string; state: string }>`select event_type as type, state from event_deliveries order by 1`.execute(db)).rows
    const kept = [
      { type: 'disabled', state: 'failed' },
      { type: 'enabled', state: 'pending' },
      { type: 'ended', state: 'delivered' },
      { type: 'refused', state: 'failed' },
    ]
    await endUnsendableDeliveries(db, new Date(), { subscriptionsMax: 3, limit: 2 })
    expect(await states()).toEqual(kept)
    expect(await left(db, 'dead_letters', 'reason')).toEqual(['the subscription was disabled', 'the subscription was disabled: refused'])
  })
})

describe('the pending deliveries of a disabled subscription that are many', () => {
  test('end in batches, all in one pass', async () => {
    await using made = await createTestDatabase()
    const db = made.database.system
    await sql`insert into accounts (id, name) values (${account}, 'x')`.execute(db)
    const id = await insertSubscription(db, 'disabled', false)
    await sql`
      insert into event_deliveries (id, account_id, subscription_id, event_type, event, state, due_at, created_at)
      select millrace_uuid_v7(), ${account}, ${id}, 'x', '{"n":2}', 'pending', now(), now() from generate_series(1, 6)`.execute(db)
    const end = { reason: 'the subscription was disabled', at: new Date() }
    expect(await abandonPending(db, account, { subscriptionId: id, limit: 2 }, end)).toBe(2)
    expect(await left(db, 'dead_letters', 'reason')).toHaveLength(2)
    await endUnsendableDeliveries(db, new Date(), { subscriptionsMax: 10, limit: 2 })
    expect(await left(db, 'event_deliveries', 'state')).toEqual(Array.from({ length: 7 }, () => 'failed'))
    expect(await left(db, 'dead_letters', 'reason')).toHaveLength(7)
  })
})

describe('filters', () => {
  test('filters are deleted when no listener has used them for long, and stay while a listener does', async () => {
    await using made = await createTestDatabase()
    const db = made.database.system
    for (const [name, used] of [
      ['old', '-3 days'],
      ['listened', '-3 days'],
      ['fresh', '-1 hour'],
    ] as const)
      await insertFilter(db, name, used)
    // The same filter of another account, without a listener.
    await insertFilter(db, 'listened', '-3 days', other)
    await insertWaits(db, await insertExecution(db, 'waiting'), 'listened')
    await insertEvent(db, 'a', '1 day')
    for (const name of ['old', 'listened', 'fresh']) await insertKept(db, 'a', name)
    await deleteUnusedFilters(db, new Date(Date.now() - 24 * hour), 10)
    const { rows } = await sql`select account_id, id from event_filters order by id`.execute(db)
    expect(rows).toEqual([
      { account_id: account, id: 'fresh' },
      { account_id: account, id: 'listened' },
    ])
    expect(await left(db, 'kept_events', 'filter_id')).toEqual(['fresh', 'listened'])
  })

  test('filters that a new listener is about to use are skipped', async () => {
    await using made = await createTestDatabase()
    const db = made.database.system
    await insertFilter(db, 'old', '-3 days')
    await db.transaction().execute(async (tx) => {
      await sql`update event_filters set used_at = now()`.execute(tx)
      await deleteUnusedFilters(db, new Date(Date.now() - 24 * hour), 10)
    })
    expect(await left(db, 'event_filters', 'id')).toEqual(['old'])
  })
})

test('waits are deleted with their execution and not before', async () => {
  await using made = await createTestDatabase()
  const db = made.database.system
  for (const state of ['pending', 'running', 'waiting', 'suspended', 'completed', 'faulted', 'cancelled'])
    await insertWaits(db, await insertExecution(db, state), state)
  await insertWaits(db, '01890a5d-ac96-774b-bcce-b302099a8059', 'gone')
  await deleteOrphanedWaits(db, 10)
  for (const table of ['listeners', 'waits', 'messages'])
    expect([table, await left(db, table, 'position')]).toEqual([table, ['pending', 'running', 'suspended', 'waiting']])
})

test('orphaned waits are deleted in batches', async () => {
  await using made = await createTestDatabase()
  const db = made.database.system
  for (const name of ['a', 'b', 'c']) await insertWaits(db, '01890a5d-ac96-774b-bcce-b302099a8059', name)
  await deleteOrphanedWaits(db, 2)
  for (const table of ['listeners', 'waits', 'messages']) expect(await left(db, table, 'position')).toHaveLength(1)
})

test('the purge of an account deletes all its events and none of another account', async () => {
  await using made = await createTestDatabase()
  const db = made.database.system
  for (const [accountId, name] of [
    [account, 'mine'],
    [other, 'theirs'],
  ] as const) {
    await insertEvent(db, name, '1 day', accountId)
    await insertDelivery(db, name, {}, accountId)
    await insertFilter(db, name, '0', accountId)
    await insertKept(db, name, name, accountId)
    await insertWaits(db, accountId, name, accountId)
  }
  await insertEvent(db, 'second', '1 day')
  expect([
    await deleteDeliveriesAndEventsOf(db, account, 1),
    await deleteDeliveriesAndEventsOf(db, account, 1),
    await deleteDeliveriesAndEventsOf(db, account, 1),
  ]).toEqual([7, 1, 0])
  for (const table of ['events', 'kept_events', 'event_deliveries', 'event_filters', 'listeners', 'waits', 'messages'])
    expect([table, await left(db, table, 'account_id')]).toEqual([table, [other]])
})
