import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromTypeId } from '#platform/ids.ts'
import { documentOf } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import type { Erasures } from './erasure-service.ts'
import { erasuresOver, filesOf, type GivenErasures } from './testing/erasures-over.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const { signal } = new AbortController()
const minuteMs = 60_000

const erasuresOf = (given: GivenErasures) => erasuresOver(server.database, given)

/** Erasures whose jobs run when `runJobs` is called. @returns the failures of jobs. */
function queuedErasuresOf(given: GivenErasures) {
  const jobs: { readonly accountId: string; readonly erasureId: string }[] = []
  const erasures = erasuresOf({ ...given, send: (_, target) => Promise.resolve(void jobs.push(target)) })
  async function runJobs(): Promise<readonly unknown[]> {
    const failures: unknown[] = []
    for (const { accountId, erasureId } of jobs.splice(0))
      await erasures.erase(accountId, erasureId, signal).catch((error: unknown) => void failures.push(error))
    return failures
  }
  return { erasures, jobs, runJobs }
}

async function requestOf(erasures: Erasures, { accountId }: TestAccount) {
  const request = { values: ['a value'], reason: undefined, includesForms: false, by: 'user:test' }
  const { id } = await server.database.account(accountId, (tx) => erasures.request(tx, accountId, request))
  const read = () => server.database.account(accountId, (tx) => erasures.get(tx, accountId, id))
  return { id, read, erase: () => erasures.erase(accountId, id, signal) }
}

test('an erasure whose process dies is continued, and its receipt counts each record once', async () => {
  const account = await server.registerAccount()
  const events = Array.from({ length: 100 }, (_, index) => ({
    specversion: '1.0',
    id: `${index}`,
    source: '/a',
    type: 'a',
    data: 'Waldo Plugh',
  }))
  for (const source of ['/a', '/b']) await account.send('POST', '/api/v1/events', { events: events.map((event) => ({ ...event, source })) })
  let batches = 0
  const erasures = erasuresOf({
    value: 'Waldo Plugh',
    // Read by the request, by the claim twice, and in the transaction of each batch: the process dies in the second one.
    now() {
      batches += 1
      if (batches === 6) throw new Error('killed')
      return Date.now()
    },
  })
  const { id, erase: eraseOnce, read } = await requestOf(erasures, account)
  await expect(eraseOnce()).rejects.toThrow('killed')
  expect((await read()).erased).toEqual({ events: 100 })
  await erasures.erase(account.accountId, id, signal)
  expect((await read()).erased).toEqual({ events: 200 })
})

test('an erasure that fails is repeated ever more rarely, and each that is due has a job of its own', async () => {
  const [failing, other] = [await server.registerAccount(), await server.registerAccount()]
  let opened = 0
  let at = Date.now()
  const { erasures, jobs, runJobs } = queuedErasuresOf({
    value: 'Wilhelmina Plover',
    now: () => at,
    sealing: {
      seal: () => Promise.resolve(Buffer.alloc(1)),
      open(_db, accountId) {
        if (accountId !== failing.accountId) return Promise.resolve(Buffer.from('["Wilhelmina Plover"]'))
        opened += 1
        return Promise.resolve(undefined)
      },
    },
  })
  const first = await requestOf(erasures, failing)
  const second = await requestOf(erasures, other)
  at += minuteMs
  // The jobs of the requests are lost.
  jobs.splice(0)
  await erasures.continueDue()
  expect(jobs.map(({ erasureId }) => erasureId).toSorted()).toEqual([first.id, second.id].toSorted())
  expect(await runJobs()).toHaveLength(1)
  expect(await second.read()).toMatchObject({ state: 'done', problem: undefined })
  expect(await first.read()).toMatchObject({ state: 'running', problem: expect.stringContaining('The last attempt failed') })
  for (let minute = 0; minute < 70; minute++) {
    at += minuteMs
    await erasures.continueDue()
    await runJobs()
  }
  // After 1, 2, 4, 8, 16 and 32 minutes.
  expect(opened).toBe(7)
})

test('records that get the same marks are erased, each with its own', async () => {
  const account = await server.registerAccount()
  for (const source of ['/Wanda-Gribble', '/wanda-gribble', '/WANDA-gribble'])
    await account.send('POST', '/api/v1/events', { specversion: '1.0', id: '1', source, type: 'a', data: {} })
  const erasures = erasuresOf({ value: 'wanda-gribble' })
  const { erase: eraseOnce, read } = await requestOf(erasures, account)
  await eraseOnce()
  expect(await read()).toMatchObject({ state: 'done', erased: { events: 3 }, kept: [] })
  const { rows } = await sql<{ readonly source: string }>`
    select distinct source from events where account_id = ${account.accountId} and type = 'a' and source like '/[erased:%'`.execute(
    server.database.system,
  )
  expect(rows).toHaveLength(3)
})

test('an erasure that waits searches nothing until an execution ends, and deletes later copies at its end alone', async () => {
  const account = await server.registerAccount()
  const { accountId } = account
  const db = server.database.system
  const { id: workflow } = await account.client.workflows.create({
    body: { definition: documentOf('do:\n  - sleep: { wait: { hours: 1 } }\n') },
  })
  const { body: execution } = await account.send('POST', `/api/v1/workflows/${workflow}/execute`, { input: { of: 'Barnaby Thud' } })
  let [at, searches, opened] = [Date.now(), 0, 0]
  const { erasures, runJobs } = queuedErasuresOf({
    value: 'Barnaby Thud',
    now: () => at,
    sealing: {
      seal: () => Promise.resolve(Buffer.alloc(1)),
      open(_db, of) {
        if (of === accountId) opened += 1
        return Promise.resolve(Buffer.from('["Barnaby Thud"]'))
      },
    },
    files: filesOf((of) => {
      if (of === accountId) searches += 1
      return Promise.resolve({ matching: [{ id: randomUUID(), name: 'a.txt', writtenBy: 'user:test' }], unreadable: [], unsearched: [] })
    }),
  })
  const { erase: eraseOnce, read } = await requestOf(erasures, account)
  const copyOf = async (state: string) => {
    const [id, fileId, created] = [randomUUID(), randomUUID(), new Date(at)]
    await sql`insert into account_exports (id, account_id, state, total, created_at) values (${id}, ${accountId}, ${state}, 1, ${created})`.execute(
      db,
    )
    await sql`
      insert into files (id, account_id, owner, name, media, created_at)
      values (${fileId}, ${accountId}, ${`export:${id}`}, 'a', 'application/zip', ${created})`.execute(db)
  }
  const copyStates = async () => {
    const { rows } = await sql<{ readonly state: string }>`
      select e.state from account_exports e join files f on f.owner = 'export:' || e.id where e.account_id = ${accountId} order by state`.execute(
      db,
    )
    return rows.map(({ state }) => state)
  }
  await copyOf('ready')
  await eraseOnce()
  expect(await copyStates()).toEqual([])
  at += minuteMs
  await copyOf('ready')
  await copyOf('preparing')
  for (let hour = 0; hour < 3; hour++) {
    at += 60 * minuteMs
    await erasures.continueDue()
    await runJobs()
  }
  expect({ searches, opened, copies: await copyStates() }).toEqual({ searches: 1, opened: 1, copies: ['preparing', 'ready'] })

  await account.send('POST', `/api/v1/workflows/executions/${execution.id}/cancel`)
  await expect.poll(async () => (await account.send('GET', `/api/v1/workflows/executions/${execution.id}`)).body.state).toBe('cancelled')
  at += 60 * minuteMs
  await erasures.continueDue()
  await runJobs()
  const file = { table: 'account_files', records: 1, files: [expect.objectContaining({ name: 'a.txt' })] }
  expect(await read()).toMatchObject({
    state: 'waiting',
    kept: [{ table: 'account_exports', records: 1, reason: 'It is being prepared.' }, file],
  })
  expect(await copyStates()).toEqual(['preparing'])

  await sql`update account_exports set state = 'ready' where account_id = ${accountId}`.execute(db)
  at += minuteMs
  await copyOf('preparing')
  at += 60 * minuteMs
  await erasures.continueDue()
  await runJobs()
  // What was begun after everything was erased has nothing of the person.
  expect(await read()).toMatchObject({ state: 'done', kept: [file], erased: { account_exports: 3 } })
  expect({ searches, opened, copies: await copyStates() }).toEqual({ searches: 2, opened: 2, copies: ['preparing'] })
})

test('a pass that takes long is joined by no second one', async () => {
  const account = await server.registerAccount()
  const [searching, freed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let searches = 0
  const erasures = erasuresOf({
    value: 'Fenella Corge',
    files: filesOf(async () => {
      searches += 1
      searching.resolve()
      await freed.promise
      return { matching: [], unreadable: [], unsearched: [] }
    }),
  })
  const { erase: eraseOnce, read } = await requestOf(erasures, account)
  const pass = eraseOnce()
  await searching.promise
  await eraseOnce()
  freed.resolve()
  await pass
  expect(searches).toBe(1)
  expect((await read()).state).toBe('done')
})

test('an execution that ends between two tables of a pass is attested again by the next one', async () => {
  const account = await server.registerAccount()
  const db = server.database.system
  const { id: workflow } = await account.client.workflows.create({ body: { definition: documentOf('do: [{ a: { set: { n: 1 } } }]') } })
  const start = { input: { of: 'Ottoline Garply' } }
  const { body: run } = await account.send('POST', `/api/v1/workflows/${workflow}/execute`, start, { prefer: 'wait=20' })
  expect(run.state).toBe('completed')
  const id = fromTypeId('exec', run.id)
  await sql`
    insert into journal (execution_id, account_id, seq, position, phase, kind, ok, value, decisions, started_at, ended_at)
    values (${id}, ${account.accountId}, 100, '/do/9/more', 'ended', 'effect', true, '"Ottoline Garply"', '', now(), now())`.execute(db)
  const setEnd = (at: string) => sql`update executions set ended_at = ${sql.raw(at)} where id = ${id}`.execute(db)
  const inputOf = async () => (await sql<{ input: string }>`select input::text from executions where id = ${id}`.execute(db)).rows[0]?.input
  const attested: unknown[] = []
  const erasures = erasuresOf({
    value: 'Ottoline Garply',
    async attest() {
      attested.push(await inputOf())
      return randomUUID()
    },
  })
  const { erase: eraseOnce, read } = await requestOf(erasures, account)
  await setEnd('null')
  // The pass has searched `executions` when it waits for `journal`.
  const [locked, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const lock = db.transaction().execute(async (tx) => {
    await sql`lock table journal in exclusive mode`.execute(tx)
    locked.resolve()
    await ended.promise
  })
  await locked.promise
  const pass = eraseOnce()
  const waiting = async () =>
    (await sql`select from pg_locks where relation = 'journal'::regclass and not granted and database is not null`.execute(db)).rows.length
  await expect.poll(waiting, { interval: 20 }).toBeGreaterThan(0)
  await setEnd('now()')
  ended.resolve()
  await Promise.all([pass, lock])
  expect((await read()).state).toBe('waiting')
  await eraseOnce()
  expect((await read()).state).toBe('done')
  expect(attested).toHaveLength(2)
  expect(attested.at(-1)).toBe(await inputOf())
  expect(await inputOf()).toContain('[erased:')
})

test('an erasure ends although the form of a record does not allow to replace the data, and says where it is', async () => {
  const account = await server.registerAccount()
  for (const [id, data] of [
    ['1', { note: '"order":77' }],
    ['2', { order: 77 }],
  ] as const)
    await account.send('POST', '/api/v1/events', { specversion: '1.0', id, source: '/a', type: 'a', data })
  const { erase: eraseOnce, read } = await requestOf(erasuresOf({ value: '"order":77' }), account)
  await eraseOnce()
  expect(await read()).toMatchObject({
    state: 'done',
    erased: { events: 1 },
    kept: [{ table: 'events', records: 1, reason: expect.stringMatching(/form of the record/) }],
  })
})

test('a pass whose claim another one has taken over after a stall stops, and leaves that claim as it is', async () => {
  const account = await server.registerAccount()
  await account.send('POST', '/api/v1/events', { specversion: '1.0', id: '1', source: '/a', type: 'a', data: 'Hortense Waldo' })
  const [searching, freed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let at = Date.now()
  const shared = { value: 'Hortense Waldo', now: () => at }
  const found = { matching: [], unreadable: [], unsearched: [] }
  const stalled = erasuresOf({
    ...shared,
    async eraseEvents() {
      searching.resolve()
      await freed.promise
      return 1
    },
  })
  const { id, read, erase: eraseOnce } = await requestOf(stalled, account)
  const pass = eraseOnce()
  await searching.promise
  at += 61_000
  const [second, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const other = erasuresOf({
    ...shared,
    files: filesOf(async () => {
      second.resolve()
      await ended.promise
      return found
    }),
  })
  const otherPass = other.erase(account.accountId, id, signal)
  await second.promise
  freed.resolve()
  await pass
  expect(await read()).toMatchObject({ state: 'running', erased: { events: 1 } })
  // A third pass finds the claim of the second one.
  await stalled.erase(account.accountId, id, signal)
  ended.resolve()
  await otherPass
  expect(await read()).toMatchObject({ state: 'done', erased: { events: 1 }, kept: [] })
})

test('an account has at most ten erasures that run, and the due ones of several accounts take turns', async () => {
  const [many, other] = [await server.registerAccount(), await server.registerAccount()]
  let at = Date.now()
  const { erasures, jobs, runJobs } = queuedErasuresOf({ value: 'Philippa Xyzzy', now: () => at })
  for (let count = 0; count < 10; count++) await requestOf(erasures, many)
  await expect(requestOf(erasures, many)).rejects.toMatchObject({ code: 'conflict' })
  const refused = await many.send('POST', '/api/v1/privacy/erasures', { values: ['Philippa Xyzzy'] })
  expect(refused).toMatchObject({ status: 409, body: { code: 'conflict', detail: expect.stringContaining('10 erasures are running') } })
  at += 1_000
  await requestOf(erasures, other)
  jobs.splice(0)
  at += 2 * minuteMs
  await erasures.continueDue()
  expect(jobs.slice(0, 3).map(({ accountId }) => accountId)).toEqual([many.accountId, other.accountId, many.accountId])
  expect(await runJobs()).toEqual([])
  expect((await many.send('POST', '/api/v1/privacy/erasures', { values: ['Philippa Xyzzy'] })).status).toBe(200)
})
