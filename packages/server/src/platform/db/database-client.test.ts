import { sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { DatabaseClient, pooledClient, preparedMark } from './database-client.ts'

// An error event that has no listener is an uncaught exception, which fails the whole run of tests.

async function testDatabase(): Promise<TestDatabase> {
  const db = await createTestDatabase()
  onTestFinished(() => db.drop())
  return db
}

/** Ends connections of a database from outside, as a restart does. Resolves when they are gone. */
async function terminate(url: string, applicationName: string): Promise<void> {
  const admin = new DatabaseClient({ connectionString: inject('postgres').adminUrl })
  await admin.connect()
  const name = new URL(url).pathname.slice(1)
  const { rowCount } = await admin.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1 and application_name = $2`,
    [name, applicationName],
  )
  await admin.end()
  expect(rowCount).toBeGreaterThan(0)
}

test('a transaction of an account whose connection is cut between two statements is rejected, and the next one works', async () => {
  const { database, url } = await testDatabase()
  const accountId = '01900000-0000-7000-8000-000000000001'
  const cut = database.account(accountId, async (tx) => {
    await sql`select 1`.execute(tx)
    await terminate(url, 'millrace')
    await sql`select 2`.execute(tx)
  })
  await expect(cut).rejects.toThrow(/terminat|not queryable/)
  await expect(database.account(accountId, (tx) => sql`select 3`.execute(tx))).resolves.toBeDefined()
})

test('a query of the system pool whose connection is cut under it is rejected, and the next one works', async () => {
  const { database, url } = await testDatabase()
  const asleep = Promise.allSettled(Array.from({ length: 4 }, () => sql`select pg_sleep(60)`.execute(database.system)))
  await expect
    .poll(
      async () =>
        (await sql`select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`.execute(database.system))
          .rows.length,
    )
    .toBe(4)
  await terminate(url, 'millrace')
  expect((await asleep).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected'])
  await expect(sql`select 1`.execute(database.system)).resolves.toBeDefined()
})

test('connections of the queue that are cut do not end the process, and the queue works on', async () => {
  const { url } = await testDatabase()
  const boss = new PgBoss({ connectionString: url, application_name: 'queue', supervise: false, schedule: false, max: 2, ...pooledClient })
  const errors: unknown[] = []
  boss.on('error', (error) => errors.push(error))
  await boss.start()
  onTestFinished(() => boss.stop({ graceful: false }))
  await boss.createQueue('q')
  await terminate(url, 'queue')
  await expect.poll(() => boss.send('q', {}).catch(() => null)).toMatch(/^[0-9a-f-]{36}$/)
})

test('a marked statement is planned once for each connection, also after a transaction that failed', async () => {
  const { database } = await testDatabase()
  const accountId = '01900000-0000-7000-8000-000000000001'
  const marked = sql.raw(preparedMark('test_sum'))
  const sumOf = (first: number) =>
    database.account(accountId, async (tx) => {
      const { rows } = await sql<{ sum: number }>`${marked}select 10 / ${first}::int as sum`.execute(tx)
      return rows[0]?.sum
    })
  await expect(sumOf(0)).rejects.toThrow('division by zero')
  expect([await sumOf(2), await sumOf(5)]).toEqual([5, 2])
  const { rows } = await database.account(accountId, (tx) =>
    sql<{ name: string; runs: number }>`select name, (generic_plans + custom_plans)::int as runs from pg_prepared_statements`.execute(tx),
  )
  expect(rows).toEqual([{ name: 'test_sum', runs: expect.any(Number) }])
})
