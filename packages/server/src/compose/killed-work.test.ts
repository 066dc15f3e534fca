import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Rows } from '#platform/db/rows.ts'
import { JOB_QUEUE } from '#platform/jobs/job-queue.ts'
import { documentOf, greets } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { named, type ServerProcess, startServerProcess } from '#testing/server-process.ts'

const secretKey = 'ab'.repeat(32)
const email = 'zelda.quux@example.net'
const waiting = { timeout: 120_000, interval: 200 }

/** It accepts requests; what runs in the background runs in processes that are killed. */
let server: TestServer
let account: TestAccount
let worker: ServerProcess
beforeAll(async () => {
  server = await createTestServer({ MILLRACE_SECRET_KEY: secretKey, MILLRACE_ROLES: 'api' })
  account = await server.registerAccount()
  worker = await startWorker('first')
})
afterAll(async () => {
  await worker.kill()
  await server.close()
})

function startWorker(name: string): Promise<ServerProcess> {
  return startServerProcess({
    DATABASE_URL: named(server.databaseUrl, name),
    MILLRACE_SECRET_KEY: secretKey,
    MILLRACE_ROLES: 'worker,scheduler',
  })
}

/**
 * Locks tables, begins work that stops where it writes to them, and kills its process there. Then another process is started, and the dead one is
 * treated as if it had been silent for longer than a heartbeat may take.
 */
async function killAt(tables: readonly string[], names: { readonly dying: string; readonly next: string }, begin: () => Promise<void>) {
  await server.database.system.transaction().execute(async (tx) => {
    await sql`lock table ${sql.join(tables.map((table) => sql.table(table)))} in share mode`.execute(tx)
    await begin()
    await expect.poll(() => tablesAwaited(tx, names.dying), waiting).toEqual(tables.toSorted((a, b) => a.localeCompare(b)))
    await worker.kill()
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${names.dying}`.execute(tx)
  })
  await sql`update pgboss.job set heartbeat_on = now() - interval '10 minutes' where state = 'active'`.execute(server.database.system)
  await releaseJobs()
  worker = await startWorker(names.next)
}

/** Other processes take the jobs of a dead one at an interval of a minute, and repeat some after a pause; here both happens at once. */
async function releaseJobs(): Promise<void> {
  const boss = new PgBoss({ connectionString: server.databaseUrl, max: 1, supervise: false, schedule: false, migrate: false })
  await boss.start()
  await boss.supervise(JOB_QUEUE)
  await boss.stop()
  await sql`update pgboss.job set start_after = now() where state = 'retry'`.execute(server.database.system)
}

async function tablesAwaited(tx: Kysely<Rows>, application: string): Promise<readonly string[]> {
  const { rows } = await sql<{ readonly name: string }>`
    select distinct l.relation::regclass::text as name from pg_locks l join pg_stat_activity a using (pid)
    where a.application_name = ${application} and l.locktype = 'relation' and not l.granted order by name`.execute(tx)
  return rows.map(({ name }) => name)
}

async function count(query: ReturnType<typeof sql<{ readonly count: number }>>): Promise<number | undefined> {
  return (await query.execute(server.database.system)).rows[0]?.count
}

const get = async (path: string) => (await account.send('GET', path)).body

test('an export and an evidence pack whose process is killed are made by another one, once', async () => {
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(greets) } })
  const started = await account.send('POST', `/api/v1/workflows/${id}/execute`, { input: { name: 'Ada' } }, { prefer: 'wait=60' })
  expect(started.body.state).toBe('completed')
  const packOf = () => get(`/api/v1/archivist/evidence-pack?executions=${started.body.id}`)
  const exportOf = () => account.client.account.export()
  await killAt(['evidence_pack_chunks', 'file_chunks'], { dying: 'first', next: 'second' }, async () => {
    expect([(await packOf()).state, (await exportOf()).state]).toEqual(['preparing', 'preparing'])
  })
  await expect.poll(async () => [(await packOf()).state, (await exportOf()).state], waiting).toEqual(['ready', 'ready'])
  for (const { download, bytes, sha256 } of [await packOf(), await exportOf()]) {
    const content = Buffer.from(await (await fetch(`${server.url}${download.url}`)).arrayBuffer())
    expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([bytes, sha256])
  }
  const { data } = await account.client.notifications.list()
  expect(data.filter(({ title }) => title === 'The export of the account is ready')).toHaveLength(1)
  expect(await count(sql`select count(*)::int from account_exports where account_id = ${account.accountId}`)).toBe(1)
})

test('an erasure and the log whose process is killed are continued by another one, without a trace or a second leaf', async () => {
  const event = { specversion: '1.0', id: 'z-1', source: '/shop', type: 'a.b', data: { email } }
  expect((await account.send('POST', '/api/v1/events', event)).status).toBe(200)
  let erasure = ''
  await killAt(['audit_days', 'events'], { dying: 'second', next: 'third' }, async () => {
    const { body } = await account.send('POST', '/api/v1/privacy/erasures', { values: [email] })
    erasure = body.id
  })
  await expect.poll(async () => (await get(`/api/v1/privacy/erasures/${erasure}`)).state, waiting).toBe('done')
  expect((await get(`/api/v1/privacy/erasures/${erasure}`)).erased).toContainEqual({ category: 'events', records: 1 })
  expect(await count(sql`select count(*)::int from events where events::text ilike ${`%${email}%`}`)).toBe(0)
  expect(await get('/api/v1/audit/verify')).toMatchObject({ verified: true })
  await expect.poll(() => count(sql`select count(*)::int from audit_pending`), waiting).toBe(0)
})
