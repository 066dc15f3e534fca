import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from './database.ts'

test('two test databases do not see each other', async () => {
  await using one = await createTestDatabase()
  await using other = await createTestDatabase()
  await sql`insert into accounts (id, name) values (gen_random_uuid(), 'one')`.execute(one.database.system)
  const count = sql<{ readonly count: number }>`select count(*) as count from accounts`
  expect((await count.execute(one.database.system)).rows).toEqual([{ count: 1 }])
  expect((await count.execute(other.database.system)).rows).toEqual([{ count: 0 }])
})

test('a test database is dropped even while a client is connected to it', async () => {
  await using stays = await createTestDatabase()
  const goes = await createTestDatabase()
  const name = new URL(goes.url).pathname.slice(1)
  await goes.drop()
  const left = await sql`select from pg_database where datname = ${name}`.execute(stays.database.system)
  expect(left.rows).toHaveLength(0)
})
