import { createHash } from 'node:crypto'
import { unzipSync } from 'fflate'
import { type Kysely, sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Rows } from '#platform/db/rows.ts'
import { JOB_QUEUE } from '#platform/jobs/job-queue.ts'
import { documentOf, greets } from '#testing/definitions.ts'
import { linkTo } from '#testing/outbox.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { named, type ServerProcess, startServerProcess } from '#testing/server-process.ts'

const secretKey = 'ab'.repeat(32)
const email = 'zelda.quux@example.net'
const waiting = { interval: 200 }

/** It accepts requests; what runs in the background runs in processes that are killed. */
let server: TestServer
let account: TestAccount
let worker: ServerProcess
beforeAll(async () => {
  server = await createTestServer({ MILLRACE_SECRET_KEY: secretKey, MILLRACE_ROLES: 'api' })
  account = await server.registerAccount()
  worker = await startWorker()
})
afterAll(async () => {
  await worker.kill()
  await server.close()
})

let workers = 0
let workerStartedAt = new Date(0)
const workerName = () => `worker ${workers}`

function startWorker(): Promise<ServerProcess> {
  workers += 1
  workerStartedAt = new Date()
  return startServerProcess({
    DATABASE_URL: named(server.databaseUrl, workerName()),
    MILLRACE_SECRET_KEY: secretKey,
    MILLRACE_ROLES: 'worker,scheduler',
  })
}

/** Locks tables, begins work that stops where it writes to them, and kills its process there. */
async function killWhereItWrites(tables: readonly string[], name: string, dying: ServerProcess, begin: () => Promise<unknown>) {
  await server.database.system.transaction().execute(async (tx) => {
    await sql`lock table ${sql.join(tables.map((table) => sql.table(table)))} in share mode`.execute(tx)
    await begin()
    await expect.poll(() => tablesAwaited(tx, name), waiting).toEqual(tables.toSorted((a, b) => a.localeCompare(b)))
    await dying.kill()
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${name}`.execute(tx)
  })
}

/** Kills the worker where it writes, and lets another one continue. */
async function killWorkerAt(tables: readonly string[], begin: () => Promise<unknown>) {
  await killWhereItWrites(tables, workerName(), worker, begin)
  await continueWork()
}

async function killWorker() {
  await worker.kill()
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'worker %'`.execute(server.database.system)
}

/** Starts another worker; the dead one is treated as if it had been silent for longer than a heartbeat may take. */
async function continueWork() {
  await sql`update pgboss.job set heartbeat_on = now() - interval '10 minutes' where state = 'active'`.execute(server.database.system)
  await sql`update privacy_erasures set claimed_until = null`.execute(server.database.system)
  await releaseJobs()
  worker = await startWorker()
}

async function withQueue(act: (boss: PgBoss) => Promise<unknown>): Promise<void> {
  const boss = new PgBoss({ connectionString: server.databaseUrl, max: 1, supervise: false, schedule: false, migrate: false })
  await boss.start()
  await act(boss)
  await boss.stop()
}

/** Other processes take the jobs of a dead one at an interval of a minute, and repeat some after a pause; here both happens at once. */
async function releaseJobs(): Promise<void> {
  // The queue looks for jobs of dead processes once a minute, and the test before may have been within it.
  await sql`update pgboss.queue set monitor_claim_on = null, monitor_on = null`.execute(server.database.system)
  await withQueue((boss) => boss.supervise(JOB_QUEUE))
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

/** Any number; the trigger below waits while it is locked. */
const filesLock = 7_301

/** Runs while complete parts of files are written, but no file that is made of them. */
async function withoutFiles(act: () => Promise<void>): Promise<void> {
  const db = server.database.system
  await sql`
    create function wait_for_files() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock_shared(${sql.lit(filesLock)}); return new;
    end $$`.execute(db)
  await sql`create trigger wait_for_files before insert on files for each row when (not new.is_part) execute function wait_for_files()`.execute(
    db,
  )
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${filesLock})`.execute(tx)
    await act()
  })
  await sql`drop trigger wait_for_files on files`.execute(db)
  await sql`drop function wait_for_files()`.execute(db)
}

const filesAwaited = () =>
  count(sql`
    select count(*)::int from pg_locks l join pg_stat_activity a using (pid)
    where a.application_name like 'worker %' and l.locktype = 'advisory' and l.objid = ${filesLock} and not l.granted`)

test('an export and an evidence pack whose process is killed are continued by another one, once', async () => {
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(greets) } })
  const execute = (name: string) => account.send('POST', `/api/v1/workflows/${id}/execute`, { input: { name } }, { prefer: 'wait=60' })
  const started = await execute('Ada')
  expect(started.body.state).toBe('completed')
  const packOf = () => get(`/api/v1/archivist/evidence-pack?executions=${started.body.id}`)
  const exportOf = () => account.client.account.export()
  const states = async () => [(await packOf()).state, (await exportOf()).state]
  await withoutFiles(async () => {
    // A process makes one of both at a time.
    const other = worker
    worker = await startWorker()
    expect(await states()).toEqual(['preparing', 'preparing'])
    await expect.poll(filesAwaited, waiting).toBe(2)
    await other.kill()
    await killWorker()
  })
  expect((await account.send('POST', '/api/v1/variables', { name: 'later', kind: 'text', value: 'than the export' })).status).toBe(200)
  // As after a kill before the last table: it is read by the process that continues.
  await sql`delete from files where is_part and name = 'api-keys/api_keys.jsonl'`.execute(server.database.system)
  await continueWork()
  await expect.poll(states, waiting).toEqual(['ready', 'ready'])
  const downloaded = async ({ id: name, download, bytes, sha256 }: Awaited<ReturnType<typeof exportOf>>) => {
    const content = Buffer.from(await (await fetch(`${server.url}${download?.url}`)).arrayBuffer())
    expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([bytes, sha256])
    const files = unzipSync(new Uint8Array(content))
    return (path: string) => Buffer.from(files[`${name}/data/${path}`] ?? []).toString()
  }
  // The receipt is the one that the killed process had issued.
  const ofPack = await downloaded(await packOf())
  const { payload } = JSON.parse(ofPack(`receipts/${started.body.id}.dsse.json`))
  expect(JSON.parse(Buffer.from(payload, 'base64').toString()).predicate.issuedAt < workerStartedAt.toISOString()).toBe(true)
  // The tables are those that the killed process had read, except for the last one.
  const ofExport = await downloaded(await exportOf())
  expect(ofExport('users/users.jsonl')).toContain(account.email)
  expect(ofExport('variables/variables.jsonl')).toBe('')
  const snapshots = ofExport('README.txt').split('Read in one snapshot at ')
  expect(snapshots).toHaveLength(3)
  expect(snapshots[2]).toMatch(/^\S+:\n- api-keys\/api_keys\.jsonl\n$/)
  const { data } = await account.client.notifications.list()
  expect(data.filter(({ title }) => title === 'The export of the account is ready')).toHaveLength(1)
  expect(await count(sql`select count(*)::int from account_exports where account_id = ${account.accountId}`)).toBe(1)
  expect(await count(sql`select count(*)::int from files where account_id = ${account.accountId}`)).toBe(2)
})

test('an erasure and the log whose process is killed are continued by another one, without a trace or a second leaf', async () => {
  const event = { specversion: '1.0', id: 'z-1', source: '/shop', type: 'a.b', data: { email } }
  expect((await account.send('POST', '/api/v1/events', event)).status).toBe(200)
  let erasure = ''
  await killWorkerAt(['audit_days', 'events'], async () => {
    const { body } = await account.send('POST', '/api/v1/privacy/erasures', { values: [email] })
    erasure = body.id
  })
  await expect.poll(async () => (await get(`/api/v1/privacy/erasures/${erasure}`)).state, waiting).toBe('done')
  expect((await get(`/api/v1/privacy/erasures/${erasure}`)).erased).toContainEqual({ category: 'events', records: 1 })
  expect(await count(sql`select count(*)::int from events where events::text ilike ${`%${email}%`}`)).toBe(0)
  expect(await get('/api/v1/audit/verify')).toMatchObject({ verified: true })
  await expect.poll(() => count(sql`select count(*)::int from audit_pending`), waiting).toBe(0)
})

test('a report about a person whose process is killed is continued by another one, once', async () => {
  const person = 'Wilhelmina Grault'
  const event = (id: string) => ({ specversion: '1.0', id, source: '/shop', type: 'a.b', data: { person } })
  expect((await account.send('POST', '/api/v1/events', event('w-1'))).status).toBe(200)
  expect((await account.send('POST', '/api/v1/variables', { name: 'person', kind: 'text', value: person })).status).toBe(200)
  let id = ''
  await withoutFiles(async () => {
    id = (await account.client.persons.createReport({ body: { values: [person] } })).id
    await expect.poll(filesAwaited, waiting).toBe(1)
    await killWorker()
  })
  // What the killed process had read stays as it was; the part that it had not is read by the next one.
  expect((await account.send('POST', '/api/v1/events', event('w-2'))).status).toBe(200)
  await sql`delete from files where is_part and name = 'records/variables.json'`.execute(server.database.system)
  await continueWork()
  await expect.poll(async () => (await account.client.persons.report({ params: { id } })).state, waiting).toBe('ready')
  const { records } = await account.client.persons.report({ params: { id } })
  expect(records).toEqual([
    { category: 'events', records: 1 },
    { category: 'variables', records: 1 },
  ])
  const { url } = await account.client.persons.linkReport({ params: { id } })
  const files = unzipSync(new Uint8Array(await (await fetch(`${server.url}${url}`)).arrayBuffer()))
  expect(Buffer.from(files[`${id}/data/records/events.json`] ?? []).toString()).toContain(person)
  expect(await count(sql`select count(*)::int from files where owner like 'report:%'`)).toBe(1)
})

/** A task of maintenance runs each minute; here it runs at once. */
const purgeDeleted = () =>
  withQueue((boss) => boss.insert(JOB_QUEUE, [{ data: { name: 'maintenance.deleted-accounts', payload: {} }, retryLimit: 0 }]))

const rowsOf = (table: string, { accountId }: TestAccount) =>
  count(sql`select count(*)::int from ${sql.table(table)} where account_id = ${accountId}`)

/** A deleted account with a workflow and an ended execution. */
async function deleteAccount() {
  const leaving = await server.registerAccount()
  const { id } = await leaving.client.workflows.create({ body: { definition: documentOf(greets) } })
  await leaving.send('POST', `/api/v1/workflows/${id}/execute`, { input: { name: 'Ada' } }, { prefer: 'wait=60' })
  expect(await rowsOf('executions', leaving)).toBe(1)
  await leaving.send('DELETE', '/api/v1/auth/me')
  return leaving
}

test('a deleted account whose process is killed while it deletes the data is deleted by another one', async () => {
  const leaving = await deleteAccount()
  await sql`update deleted_accounts set restorable_until = now() where id = ${leaving.accountId}`.execute(server.database.system)
  await killWorkerAt(['workflows'], purgeDeleted)
  // Executions are deleted before the workflows.
  expect([await rowsOf('executions', leaving), await rowsOf('workflows', leaving)]).toEqual([0, 1])
  await purgeDeleted()
  await expect.poll(() => rowsOf('workflows', leaving), waiting).toBe(0)
  expect(await rowsOf('deleted_rows', leaving)).toBe(0)
  expect(await count(sql`select count(*)::int from deleted_accounts where id = ${leaving.accountId}`)).toBe(0)
})

test('an account whose process is killed while it restores it is restored by the same link', async () => {
  const leaving = await deleteAccount()
  const token = await linkTo(server.url, leaving.email, 'was deleted')
  const restoreAt = (url: string) =>
    fetch(`${url}/api/v1/auth/me/restore`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    })
  // It might wait for the locked table itself, and hold what the restoration needs.
  await worker.kill()
  const dying = await startServerProcess({
    DATABASE_URL: named(server.databaseUrl, 'restoring'),
    MILLRACE_ROLES: 'api',
    // The requests of the tests before count against the same address.
    MILLRACE_RATE_LIMIT_AUTH: '1000/60',
    MILLRACE_RATE_LIMIT_GLOBAL: '10000/60',
  })
  let answer: Promise<unknown> = Promise.resolve()
  await killWhereItWrites(['workflows'], 'restoring', dying, async () => {
    answer = restoreAt(dying.url).then(
      ({ status }) => status,
      () => 'the connection ended',
    )
    await Promise.resolve()
  })
  expect(await answer).toBe('the connection ended')
  expect(await count(sql`select count(*)::int from users where id = ${leaving.userId}`)).toBe(0)
  expect((await restoreAt(server.url)).status).toBe(200)
  expect(await count(sql`select count(*)::int from users where id = ${leaving.userId}`)).toBe(1)
  expect(await count(sql`select count(*)::int from workflows where account_id = ${leaving.accountId} and deleted_at is null`)).toBe(1)
})

test('exports, packs, erasures and mails are in their lanes', async () => {
  expect((await account.send('POST', '/api/v1/privacy/erasures', { values: ['someone.else@example.net'] })).status).toBe(200)
  const { rows } = await sql<{ readonly name: string; readonly priority: number }>`
    select distinct data ->> 'name' as name, priority from pgboss.job where data ->> 'name' not like 'maintenance.%'`.execute(
    server.database.system,
  )
  expect(rows).toEqual(
    expect.arrayContaining([
      { name: 'account.export', priority: -1 },
      { name: 'archivist.evidence-pack', priority: -1 },
      { name: 'privacy.erase', priority: -1 },
      { name: 'privacy.report', priority: -1 },
      { name: 'mail.send', priority: 1 },
    ]),
  )
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length)
})
