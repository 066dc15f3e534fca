import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createEngineDatabase, enginePool, type EngineDatabase } from '#testing/database.ts'
import { newUuid } from '#testing/uuid.ts'
import { createNotificationListener, notifyWorkers } from './notifications.ts'

let database: EngineDatabase
beforeAll(async () => {
  database = await createEngineDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

type Pool = EngineDatabase['pool']

/** A bell that hears already. */
async function hearing(pool: Pool) {
  const heard: (readonly string[])[] = []
  const errors: unknown[] = []
  const bell = createNotificationListener({
    pool,
    onNotification: (ids) => void heard.push(ids),
    onError: (error) => void errors.push(error),
  })
  bell.start()
  onTestFinished(() => bell.stop())
  await vi.waitFor(() => expect(heard).toHaveLength(1), { timeout: 10_000 })
  return { bell, heard, errors }
}

/** The connections that listen, other than the test's own. */
async function listeners(pool: Pool): Promise<readonly number[]> {
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and query ilike 'listen %' and pid <> pg_backend_pid()`,
  )
  return rows.map(({ pid }) => pid)
}

test('who begins to hear looks at once: nobody knows what was rung for before', async () => {
  const { pool } = database
  await notifyWorkers(pool, [newUuid()])
  const { heard } = await hearing(pool)
  expect(heard).toEqual([[]])
})

test('every process hears of the executions that something came to, and of work without any', async () => {
  const { pool } = database
  const processes = await Promise.all([hearing(pool), hearing(pool), hearing(pool)])
  const ids = [newUuid(), newUuid()]
  await notifyWorkers(pool, ids)
  await notifyWorkers(pool, [])
  for (const { heard } of processes) await vi.waitFor(() => expect(heard).toEqual([[], ids, []]), { timeout: 5_000 })
})

test('a ring is heard with the commit of its transaction, and not at all when that is undone', async () => {
  const { pool } = database
  const { heard } = await hearing(pool)
  const [undone, done] = [newUuid(), newUuid()]
  const client = await pool.connect()
  await client.query('begin')
  await notifyWorkers(client, [undone])
  await client.query('rollback')
  await client.query('begin')
  await notifyWorkers(client, [done])
  // What was told of the first by now would be there before this.
  const marker = newUuid()
  await notifyWorkers(pool, [marker])
  await vi.waitFor(() => expect(heard).toContainEqual([marker]), { timeout: 5_000 })
  expect(heard).toEqual([[], [marker]])
  await client.query('commit')
  client.release()
  await vi.waitFor(() => expect(heard).toEqual([[], [marker], [done]]), { timeout: 5_000 })
})

test('for more executions than a notification can hold it rings all the same', async () => {
  const { pool } = database
  const { heard } = await hearing(pool)
  const ids = Array.from({ length: 1_000 }, newUuid)
  await notifyWorkers(pool, ids)
  await vi.waitFor(() => expect(heard).toHaveLength(2), { timeout: 5_000 })
  expect(heard[1]).toEqual(ids.slice(0, 200))
})

test('it takes no connection from those who write', async () => {
  const { url, pool } = database
  const own = enginePool(url)
  onTestFinished(() => own.end())
  await hearing(own)
  expect(own.totalCount).toBe(0)
  expect(await listeners(pool)).toHaveLength(1)
})

test('a connection that is cut is told of, and made anew; what was missed is looked for', { timeout: 30_000 }, async () => {
  const { pool } = database
  const { heard, errors } = await hearing(pool)
  const [pid] = await listeners(pool)
  await pool.query('select pg_terminate_backend($1)', [pid])
  await vi.waitFor(() => expect(heard).toEqual([[], []]), { timeout: 10_000 })
  expect(errors).toHaveLength(1)
  const id = newUuid()
  await notifyWorkers(pool, [id])
  await vi.waitFor(() => expect(heard).toEqual([[], [], [id]]), { timeout: 5_000 })
})

test('who has stopped hears nothing more, and leaves no connection behind', async () => {
  const { pool } = database
  const { bell, heard, errors } = await hearing(pool)
  await bell.stop()
  await notifyWorkers(pool, [newUuid()])
  await vi.waitFor(async () => expect(await listeners(pool)).toEqual([]), { timeout: 5_000 })
  expect([heard, errors]).toEqual([[[]], []])
})

test('stopping twice, or what was never started, does no harm', async () => {
  const { pool } = database
  const { bell } = await hearing(pool)
  await bell.stop()
  await bell.stop()
  const never = createNotificationListener({ pool, onNotification: () => undefined, onError: () => undefined })
  expect(await never.stop()).toBeUndefined()
  expect(await listeners(pool)).toEqual([])
})

test('while the database is away it tells why, and stops at once when it is told to', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  const pool = enginePool(`postgres://nobody@127.0.0.1:${typeof address === 'object' ? address?.port : 0}/none`)
  onTestFinished(() => pool.end())
  const errors: unknown[] = []
  const bell = createNotificationListener({ pool, onNotification: () => undefined, onError: (error) => void errors.push(error) })
  bell.start()
  await vi.waitFor(() => expect(errors).toMatchObject([{ code: 'ECONNREFUSED' }]), { timeout: 5_000 })
  const before = performance.now()
  await bell.stop()
  expect(performance.now() - before).toBeLessThan(500)
  expect(errors).toHaveLength(1)
})
