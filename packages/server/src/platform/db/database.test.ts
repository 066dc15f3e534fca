import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { createDatabase, databaseDefaults } from './database.ts'

const one = randomUUID()
const other = randomUUID()
let db: TestDatabase

beforeAll(async () => {
  db = await createTestDatabase()
  const insert = db.database.system.insertInto('accounts')
  await insert
    .values([
      { id: one, name: 'one' },
      { id: other, name: 'other' },
    ])
    .execute()
  for (const id of [one, other]) {
    await db.database.system
      .insertInto('audit_events')
      .values({ id: randomUUID(), account_id: id, actor: 'system:test', event: 'made' })
      .execute()
  }
})

afterAll(async () => {
  await db.drop()
})

describe('account()', () => {
  test('sees the rows of its account alone, even where no condition was written', async () => {
    const seen = await db.database.account(one, async (tx) => ({
      accounts: await tx.selectFrom('accounts').select('id').execute(),
      events: await tx.selectFrom('audit_events').select('account_id').execute(),
    }))
    expect(seen).toEqual({ accounts: [{ id: one }], events: [{ account_id: one }] })
  })

  test("does not see another account's row that is asked for by its id", async () => {
    const rows = await db.database.account(one, (tx) => tx.selectFrom('accounts').selectAll().where('id', '=', other).execute())
    expect(rows).toEqual([])
  })

  test('changes nothing of another account', async () => {
    const result = await db.database.account(one, (tx) =>
      tx.updateTable('accounts').set({ name: 'stolen' }).where('id', '=', other).executeTakeFirst(),
    )
    expect(result.numUpdatedRows).toBe(0n)
    const row = await db.database.system.selectFrom('accounts').select('name').where('id', '=', other).executeTakeFirst()
    expect(row?.name).toBe('other')
  })

  test('cannot write a row for another account', async () => {
    const write = db.database.account(one, (tx) =>
      tx.insertInto('audit_events').values({ id: randomUUID(), account_id: other, actor: 'system:test', event: 'forged' }).execute(),
    )
    await expect(write).rejects.toThrow('row-level security')
  })

  test('a transaction that moves to another account inside ends with its own', async () => {
    await db.database.account(one, (tx) => sql`select 1`.execute(tx))
    const seen = await db.database.account(other, (tx) => tx.selectFrom('accounts').select('id').execute())
    expect(seen).toEqual([{ id: other }])
  })

  test('its role reaches no table that was not given to it', async () => {
    const read = db.database.account(one, (tx) => sql`select * from schema_migrations`.execute(tx))
    await expect(read).rejects.toThrow('permission denied')
  })

  test('nothing is kept of a transaction that throws', async () => {
    const failing = db.database.account(one, async (tx) => {
      await tx.updateTable('accounts').set({ name: 'half done' }).execute()
      throw new Error('afterwards')
    })
    await expect(failing).rejects.toThrow('afterwards')
    expect(await db.database.account(one, (tx) => tx.selectFrom('accounts').select('name').execute())).toEqual([{ name: 'one' }])
  })

  test.each(['', 'x', `${one}'; drop table accounts; --`, one.toUpperCase()])(
    'refuses an id that is no UUID as we write them: %s',
    async (id) => {
      await expect(db.database.account(id, async () => undefined)).rejects.toThrow('needs a UUID')
    },
  )

  test('transactions of several accounts at once do not mix', async () => {
    const seen = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const id = index % 2 === 0 ? one : other
        const rows = await db.database.account(id, (tx) => tx.selectFrom('accounts').select('id').execute())
        return rows.every((row) => row.id === id) && rows.length === 1
      }),
    )
    expect(seen).not.toContain(false)
  })
})

test('a query of the account role outside of account() fails instead of showing anything', async () => {
  const query = db.database.system.transaction().execute(async (tx) => {
    await sql`set local role millrace_account`.execute(tx)
    return await tx.selectFrom('accounts').selectAll().execute()
  })
  await expect(query).rejects.toThrow(/millrace\.account_id|invalid input syntax for type uuid/)
})

test('the audit log takes no change, not even from the owner', async () => {
  const { system } = db.database
  await expect(system.updateTable('audit_events').set({ event: 'rewritten' }).execute()).rejects.toThrow('append-only')
  await expect(system.deleteFrom('audit_events').execute()).rejects.toThrow('append-only')
  await expect(sql`truncate audit_events`.execute(system)).rejects.toThrow('append-only')
})

test('settings in the address of the database stay, and take no role away', async () => {
  const address = new URL(db.url)
  address.searchParams.set('options', '-c work_mem=12345kB -c role=none')
  const database = createDatabase({ ...databaseDefaults, url: address.href })
  try {
    const read = sql<
      Record<string, string>
    >`select current_user as role, current_setting('work_mem') as work_mem, current_setting('jit') as jit`
    const { rows } = await database.account(one, (tx) => read.execute(tx))
    expect(rows).toEqual([{ role: 'millrace_account', work_mem: '12345kB', jit: 'off' }])
    expect((await read.execute(database.system)).rows).toMatchObject([{ work_mem: '12345kB', jit: 'off' }])
  } finally {
    await database.close()
  }
})

test('a statement of a request that takes too long is stopped', async () => {
  await using slow = await createTestDatabase({ statementTimeoutMs: 50 })
  await expect(slow.database.account(one, (tx) => sql`select pg_sleep(10)`.execute(tx))).rejects.toThrow('statement timeout')
})

test('a caller waits for a free connection for the configured time, and then gets an error', async () => {
  await using small = await createTestDatabase({ accountConnectionsMax: 1, acquireTimeoutMs: 1_500 })
  const { account, stats } = small.database
  await account(one, async () => {
    expect(stats().account).toEqual({ max: 1, open: 1, idle: 0, waiting: 0 })
    await expect(account(one, async () => undefined)).rejects.toThrow('timeout')
  })
})

test('closing twice is closing once, and afterwards nothing can be asked', async () => {
  await using closing = await createTestDatabase()
  await sql`select 1`.execute(closing.database.system)
  await Promise.all([closing.database.close(), closing.database.close()])
  await expect(closing.database.account(one, (tx) => sql`select 1`.execute(tx))).rejects.toThrow('after calling end on the pool')
})
