import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { migrate } from '#platform/db/migrate.ts'
import { readMigrations } from '#platform/db/migration-files.ts'
import { createEmptyTestDatabase } from '#testing/database.ts'
import { day, idAt } from '#testing/executions.ts'
import { createRetention } from './retention.ts'
import { readPartitions } from './retention-partitions.ts'

const states = ['pending', 'running', 'waiting', 'suspended', 'completed', 'faulted', 'cancelled']
const account = '01900000-0000-7000-8000-0000000000aa'

/** A database as it was before there were partitions. */
async function before() {
  const db = await createEmptyTestDatabase()
  const migrations = await readMigrations()
  await migrate({ url: db.url, migrations: migrations.filter(({ number }) => number < 11) })
  const { system } = db.database
  return {
    system,
    async add(row: {
      readonly id: string
      readonly atMs: number
      readonly state: string
      readonly key?: string
      readonly retryOf?: string
    }) {
      const at = new Date(row.atMs)
      await sql`insert into executions (id, account_id, workflow_id, version_id, state, trigger, actor, input, output, created_at, started_at, ended_at,
          idempotency_key, idempotency_digest, retry_of)
        values (${row.id}, ${account}, ${idAt(0)}, ${idAt(0)}, ${row.state}, 'manual', 'test:old', '{"b":1,"a":"\\u0000"}', '[1]', ${at}, ${at},
          ${states.indexOf(row.state) < 4 ? null : at}, ${row.key ?? null}, ${row.key === undefined ? null : 'digest'}, ${row.retryOf ?? null})`.execute(
        system,
      )
      await sql`insert into journal (execution_id, seq, account_id, position, phase, kind, ok, value, decisions, started_at, ended_at)
        select ${row.id}, n, ${account}, '/do/0/x', 'ended', 'http', true, '{"n":1}', '', ${at}, ${at} from generate_series(0, 2) n`.execute(
        system,
      )
    },
    upgrade: () => migrate({ url: db.url, migrations }),
    [Symbol.asyncDispose]: () => db.drop(),
  }
}

const contents = sql<{ id: string; row: string }>`
  select e.id, e.state || e.input::text || e.output::text || e.created_at || (select count(*) from journal j where j.execution_id = e.id) as row
  from executions e order by e.id`

test('an installation that was there before keeps all it had, in every state, old or of a clock that was ahead', async () => {
  await using old = await before()
  const nowMs = Date.now()
  const times = [nowMs - 400 * day, nowMs - 40 * day, nowMs - 3 * day, nowMs, nowMs + 500 * day]
  for (const state of states) for (const atMs of times) await old.add({ id: idAt(atMs), atMs, state })
  const { rows } = await contents.execute(old.system)
  await old.upgrade()
  expect((await contents.execute(old.system)).rows).toEqual(rows)
  const retention = createRetention({ db: old.system, now: () => nowMs, retentionMs: undefined })
  await retention.pass()
  expect((await contents.execute(old.system)).rows).toEqual(rows)
})

test('what had to be unique is so afterwards', async () => {
  await using old = await before()
  const atMs = Date.now() - day
  const [first, second] = [idAt(atMs), idAt(atMs)]
  await old.add({ id: first, atMs, state: 'faulted', key: 'k' })
  await old.add({ id: second, atMs, state: 'pending', retryOf: first })
  await old.upgrade()
  const { rows } = await sql`
    select (select json_agg(k) from execution_keys k)::jsonb as keys, (select json_agg(r) from execution_retries r)::jsonb as retries`.execute(
    old.system,
  )
  expect(rows).toEqual([
    {
      keys: [{ account_id: account, key: 'k', execution_id: first, digest: 'digest' }],
      retries: [{ retry_of: first, account_id: account, execution_id: second, keys: null }],
    },
  ])
  await expect(sql`insert into execution_keys values (${account}, 'k', ${second}, 'x')`.execute(old.system)).rejects.toThrow(
    'execution_keys_pkey',
  )
})

test('what was there lies in one partition, which goes as the others do', async () => {
  await using old = await before()
  const nowMs = Date.now()
  const ended = [idAt(nowMs - 20 * day), idAt(nowMs - 1000)]
  for (const id of ended) await old.add({ id, atMs: nowMs - 1000, state: 'completed' })
  const waits = idAt(nowMs - 10 * day)
  await old.add({ id: waits, atMs: nowMs - 10 * day, state: 'waiting' })
  await old.upgrade()
  expect((await readPartitions(old.system)).dated).toMatchObject([{ name: 'first' }])
  let atMs = nowMs
  const retention = createRetention({ db: old.system, now: () => atMs, retentionMs: 30 * day })
  await retention.pass()
  expect((await sql`select from executions`.execute(old.system)).rows).toHaveLength(3)
  atMs += 32 * day
  await retention.pass()
  expect((await readPartitions(old.system)).dated.map(({ name }) => name)).not.toContain('first')
  const { rows } = await sql`select e.id, (select count(*)::int from journal) as entries from executions e`.execute(old.system)
  expect(rows).toEqual([{ id: waits, entries: 3 }])
})

test('a database without executions has no partition of old ones', async () => {
  await using old = await before()
  await old.upgrade()
  expect((await readPartitions(old.system)).dated).toEqual([])
})
