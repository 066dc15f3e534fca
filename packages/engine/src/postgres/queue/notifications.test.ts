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

/** A notification listener that is connected already. */
async function connectedListener(pool: Pool) {
  const received: (readonly string[])[] = []
  const errors: unknown[] = []
  const listener = createNotificationListener({
    pool,
    onNotification: (ids) => void received.push(ids),
    onError: (error) => void errors.push(error),
  })
  listener.start()
  onTestFinished(() => listener.stop())
  await vi.waitFor(() => expect(received).toHaveLength(1))
  return { listener, received, errors }
}

/** The connections that listen, other than the test's own. */
async function listeners(pool: Pool): Promise<readonly number[]> {
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and query ilike 'listen %' and pid <> pg_backend_pid()`,
  )
  return rows.map(({ pid }) => pid)
}

test('a listener that connects reports once without ids, since notifications may have been missed', async () => {
  const { pool } = database
  await notifyWorkers(pool, [newUuid()])
  const { received } = await connectedListener(pool)
  expect(received).toEqual([[]])
})

test('every listener receives the ids of a notification, and a notification without ids', async () => {
  const { pool } = database
  const processes = await Promise.all([connectedListener(pool), connectedListener(pool), connectedListener(pool)])
  const ids = [newUuid(), newUuid()]
  await notifyWorkers(pool, ids)
  await notifyWorkers(pool, [])
  for (const { received } of processes) await vi.waitFor(() => expect(received).toEqual([[], ids, []]))
})

test('a notification arrives after the commit of its transaction, and never after a rollback', async () => {
  const { pool } = database
  const { received } = await connectedListener(pool)
  const [rolledBack, committed] = [newUuid(), newUuid()]
  const client = await pool.connect()
  await client.query('begin')
  await notifyWorkers(client, [rolledBack])
  await client.query('rollback')
  await client.query('begin')
  await notifyWorkers(client, [committed])
  // A notification from the rolled-back transaction would arrive before this one.
  const marker = newUuid()
  await notifyWorkers(pool, [marker])
  await vi.waitFor(() => expect(received).toContainEqual([marker]))
  expect(received).toEqual([[], [marker]])
  await client.query('commit')
  client.release()
  await vi.waitFor(() => expect(received).toEqual([[], [marker], [committed]]))
})

test('a notification with too many ids for one payload is sent with the first of them', async () => {
  const { pool } = database
  const { received } = await connectedListener(pool)
  const ids = Array.from({ length: 1_000 }, newUuid)
  await notifyWorkers(pool, ids)
  await vi.waitFor(() => expect(received).toHaveLength(2))
  expect(received[1]).toEqual(ids.slice(0, 200))
})

test('a listener takes no connection from the pool', async () => {
  const { url, pool } = database
  const own = enginePool(url)
  onTestFinished(() => own.end())
  await connectedListener(own)
  expect(own.totalCount).toBe(0)
  expect(await listeners(pool)).toHaveLength(1)
})

test('a listener whose connection is cut reports the error, reconnects and reports possibly missed notifications', async () => {
  const { pool } = database
  const { received, errors } = await connectedListener(pool)
  const [pid] = await listeners(pool)
  await pool.query('select pg_terminate_backend($1)', [pid])
  await vi.waitFor(() => expect(received).toEqual([[], []]))
  expect(errors).toHaveLength(1)
  const id = newUuid()
  await notifyWorkers(pool, [id])
  await vi.waitFor(() => expect(received).toEqual([[], [], [id]]))
})

test('a stopped listener receives no notification and leaves no connection open', async () => {
  const { pool } = database
  const { listener, received, errors } = await connectedListener(pool)
  await listener.stop()
  await notifyWorkers(pool, [newUuid()])
  await vi.waitFor(async () => expect(await listeners(pool)).toEqual([]))
  expect([received, errors]).toEqual([[[]], []])
})

test('a listener can be stopped twice, or without having been started', async () => {
  const { pool } = database
  const { listener } = await connectedListener(pool)
  await listener.stop()
  await listener.stop()
  const unstarted = createNotificationListener({ pool, onNotification: () => undefined, onError: () => undefined })
  expect(await unstarted.stop()).toBeUndefined()
  expect(await listeners(pool)).toEqual([])
})

test('a listener without a database reports the error once, and stops on request', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  const pool = enginePool(`postgres://user@127.0.0.1:${typeof address === 'object' ? address?.port : 0}/none`)
  onTestFinished(() => pool.end())
  const errors: unknown[] = []
  const listener = createNotificationListener({ pool, onNotification: () => undefined, onError: (error) => void errors.push(error) })
  listener.start()
  await vi.waitFor(() => expect(errors).toMatchObject([{ code: 'ECONNREFUSED' }]))
  await listener.stop()
  expect(errors).toHaveLength(1)
})
