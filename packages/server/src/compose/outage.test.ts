import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { DatabaseClient } from '#platform/db/database-client.ts'
import { startEmbedded } from '#platform/db/embedded/start-embedded.ts'
import { documentOf } from '#testing/definitions.ts'
import { type ServerProcess, startServerProcess } from '#testing/server-process.ts'

const plenty = '1000000/60'

/** A PostgreSQL of this test's own, which can be stopped. */
async function ownPostgres() {
  const home = await mkdtemp(join(tmpdir(), 'millrace-outage-'))
  const postgres = await startEmbedded({ home, randomBytes })
  onTestFinished(async () => {
    await postgres.stop()
    await rm(home, { recursive: true, force: true })
  })
  return postgres
}

async function serve(url: string, roles: string, environment: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  const limits = { MILLRACE_RATE_LIMIT_GLOBAL: plenty, MILLRACE_RATE_LIMIT_AUTH: plenty, MILLRACE_RATE_LIMIT_EXECUTION: plenty }
  const server = await startServerProcess({ DATABASE_URL: url, MILLRACE_ROLES: roles, ...limits, ...environment })
  onTestFinished(() => server.kill())
  return server
}

async function memberOf(answer: Response, name: string): Promise<string> {
  const body: unknown = await answer.json()
  return typeof body === 'object' && body !== null ? String(new Map(Object.entries(body)).get(name)) : ''
}

/** A user, and how they ask. */
async function userOf({ url }: ServerProcess) {
  const ask = (method: string, path: string, body?: unknown, token = '', at = url) =>
    fetch(`${at}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const registered = await ask('POST', '/auth/register', { email: 'ada@example.com', password: 'a rather unusual phrase 4711' })
  const token = await memberOf(registered, 'accessToken')
  return (method: string, path: string, body?: unknown, at?: string) => ask(method, path, body, token, at)
}

test('processes of every role outlive a database that restarts, crashes or ends their connections, and answer 503 meanwhile', {}, async () => {
  const postgres = await ownPostgres()
  const admin = new DatabaseClient({ connectionString: postgres.url })
  await admin.connect()
  const api = await serve(postgres.url, 'api')
  const others = [await serve(postgres.url, 'worker'), await serve(postgres.url, 'scheduler')]
  const ask = await userOf(api)
  const definition = documentOf(`do:
  - pause: { wait: { milliseconds: 20 } }
  - count: { call: 'tables.increment', with: { table: counts, key: runs, column: made } }
`)
  const id = await memberOf(await ask('POST', '/workflows', { definition }), 'id')
  const seen = new Map<string, number>()
  let asking = true
  const note = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)
  const keepAsking = async (request: () => Promise<Response>) => {
    while (asking) {
      const answer = await request()
      const body = await answer.text()
      note(
        answer.status < 400
          ? 'ok'
          : `${answer.status} ${/"code":"(\w+)"/.exec(body)?.[1]}${answer.headers.has('retry-after') ? '' : ' at once'}`,
      )
      // The database and the servers need the processors for themselves.
      await pause(20)
    }
  }
  const requests = [
    ...Array.from({ length: 4 }, () => () => ask('GET', '/workflows?limit=5')),
    ...Array.from({ length: 2 }, () => () => ask('POST', '/workflows', { definition: documentOf('do:\n  - done: { set: { x: 1 } }\n') })),
    () => ask('POST', `/execute/${id}/run`),
    () => ask('GET', `/workflows/${id}`),
    ...others.map(
      ({ url }) =>
        () =>
          ask('GET', '/health/db', undefined, url),
    ),
  ]
  const asked = Promise.all(requests.map(keepAsking))
  const works = async () => {
    const before = seen.get('ok') ?? 0
    await expect.poll(() => seen.get('ok') ?? 0).toBeGreaterThan(before + 20)
  }
  await works()
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    const { pid } = postgres
    process.kill(pid, signal)
    await expect.poll(() => postgres.pid).not.toBe(pid)
    await works()
  }
  for (let round = 0; round < 3; round++) {
    const killer = new pg.Client({ connectionString: postgres.url })
    await killer.connect()
    await killer.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'millrace%'`)
    await killer.end()
    await works()
  }
  asking = false
  await asked
  // What runs called while there was no database was done later, and once.
  const reader = new pg.Client({ connectionString: postgres.url })
  await reader.connect()
  const runsByState = async () => {
    const { rows } = await reader.query<{ state: string; runs: number }>(
      'select state, count(*)::int as runs from executions group by state',
    )
    return Object.fromEntries(rows.map(({ state, runs }) => [state, runs]))
  }
  await expect.poll(async () => Object.keys(await runsByState())).toEqual(['completed'])
  const { rows } = await reader.query(`select (content->>'made')::int as made from data_rows where key = 'runs'`)
  expect(rows).toEqual([{ made: (await runsByState())['completed'] }])
  await reader.end()
  expect([api, ...others].map(({ ended }) => ended)).toEqual([undefined, undefined, undefined])
  expect([...seen.keys()].filter((what) => what !== 'ok' && !/^503 \w+$/.test(what))).toEqual([])
  expect(await Promise.all([api, ...others].map((server) => server.end('SIGTERM')))).toEqual([0, 0, 0])
})

test('a SIGTERM ends a process that has no database, with requests and streams open', async () => {
  const postgres = await ownPostgres()
  const server = await serve(postgres.url, 'api,worker,scheduler', { MILLRACE_SHUTDOWN_SECONDS: '2' })
  const ask = await userOf(server)
  const definition = documentOf('do:\n  - pause: { wait: { seconds: 60 } }\n')
  const id = await memberOf(await ask('POST', '/workflows', { definition }), 'id')
  const executionId = await memberOf(await ask('POST', `/workflows/${id}/execute`), 'id')
  const stream = await ask('GET', `/workflows/executions/${executionId}/stream`)
  expect(stream.status).toBe(200)
  const running = ask('POST', `/execute/${id}/run`).catch(() => undefined)
  await postgres.stop()
  // A process that waits for its database would outlive the test.
  expect([0, 1]).toContain(await server.end('SIGTERM'))
  await Promise.all([running, stream.body?.cancel().catch(() => undefined)])
})

/** A disk of 64 MB for PostgreSQL; undefined where this process may not mount one. */
async function smallDisk(owner: number): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-disk-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]))
  await chown(folder, owner, -1)
  return folder
}

test('a full disk of the database is one outage: 503, not ready, one line in the log, and over when there is space', {}, async ({
  skip,
}) => {
  const home = await mkdtemp(join(tmpdir(), 'millrace-outage-'))
  const postgres = await startEmbedded({ home, randomBytes })
  onTestFinished(async () => {
    await postgres.stop()
    await rm(home, { recursive: true, force: true })
  })
  const disk = await smallDisk((await stat(`/proc/${postgres.pid}`)).uid)
  if (disk === undefined) return skip('this process may not mount a file system')
  const at = (database: string) => new URL(`/${database}${new URL(postgres.url).search}`, postgres.url).href
  const admin = new DatabaseClient({ connectionString: at('postgres').replace('//millrace:', '//postgres:') })
  await admin.connect()
  await admin.query(`create tablespace small location '${disk}'`)
  await admin.query('create database small owner millrace tablespace small')
  const server = await serve(at('small'), 'api,worker,scheduler')
  const ask = await userOf(server)
  const id = await memberOf(await ask('POST', '/workflows', { definition: documentOf('do:\n  - done: { set: { done: true } }\n') }), 'id')
  const ballast = join(disk, 'ballast')
  await writeFile(ballast, Buffer.alloc(8_000_000))
  const filler = new DatabaseClient({ connectionString: at('small') })
  await filler.connect()
  await filler.query('create table filler (content text); alter table filler alter content set storage external')
  // In ever smaller portions, until no page is free.
  for (const pages of [1_000, 100, 10, 1, 1, 1]) {
    const fill = `insert into filler select repeat('x', 8000) from generate_series(1, ${pages})`
    while (
      await filler.query(fill).then(
        () => true,
        () => false,
      )
    );
  }
  const input = { input: { text: randomBytes(75_000).toString('base64') } }
  const refused = await Promise.all(Array.from({ length: 20 }, () => ask('POST', `/execute/${id}/run`, input)))
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 503))
  expect(refused[0]?.headers.get('retry-after')).toBe('30')
  expect(await memberOf(refused[0] ?? Response.error(), 'detail')).toContain('disk of the database is full')
  // The server checks the database before it calls a refused write an outage.
  await expect.poll(async () => (await ask('GET', '/health/ready')).status).toBe(503)
  await rm(ballast)
  await expect.poll(async () => (await ask('GET', '/health/ready')).status).toBe(200)
  expect((await ask('POST', `/execute/${id}/run`, input)).status).toBe(200)
  const lines = server.log.split('\n').filter((line) => /"level":(?:[4-9]0|"(?:warn|error)")/.test(line))
  expect(lines.filter((line) => line.includes('database unavailable'))).toHaveLength(1)
  expect(lines).toHaveLength(1)
  await filler.end()
  await admin.end()
})
