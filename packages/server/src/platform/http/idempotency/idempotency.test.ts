import { randomBytes, randomUUID } from 'node:crypto'
import { alias, Fault, operation } from '@millrace/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { served } from '#platform/http/http-server.ts'
import { createIdempotencyStore, sweepIdempotencyKeys } from './idempotency-store.ts'
import { accountId, type Kernel, problemIn, startKernel } from '#testing/kernel.ts'
import { writeBase } from '#testing/operations.ts'
import type { RequestContext } from '#platform/http/request/request-context.ts'
import { respond } from '#platform/http/response/respond.ts'

const body = z.strictObject({ n: z.int() })
const write = operation({
  ...writeBase,
  body,
  query: z.strictObject({ q: z.string().optional() }),
  reply: z.object({ secret: z.string() }),
  errors: ['conflict'],
})
const other = operation({ ...writeBase, id: 'test.other', path: '/api/v1/other', body, reply: z.object({ secret: z.string() }) })
const open = operation({ ...write, id: 'test.open', path: '/api/v1/open', auth: 'public' })
const group = { write, writeAgain: alias(write, { id: 'test.writeAgain', path: '/again' }), other, open }

const otherAccount = '01890a5d-ac96-774b-bcce-b302099a9999'

let testing: TestDatabase
let kernel: Kernel
/** The work of the handlers; tests replace it. */
let work: (ctx: RequestContext) => Promise<void>
let runs: number

async function handle(ctx: RequestContext, input: { readonly body: { readonly n: number } }) {
  runs++
  await work(ctx)
  return respond({ secret: `secret of run ${runs} with ${input.body.n}` }, { headers: { location: `/runs/${runs}` } })
}

beforeAll(async () => {
  testing = await createTestDatabase()
  const { database } = testing
  for (const id of [accountId, otherAccount]) await sql`insert into accounts (id, name) values (${id}, 'test')`.execute(database.system)
  kernel = await startKernel({
    groups: { test: served(group, { write: handle, other: handle, open: handle }) },
    guards: {
      transaction: (id, fn) => database.account(id, fn),
      idempotency: createIdempotencyStore({ db: database.system, randomBytes }),
    },
  })
})
afterAll(async () => {
  await kernel[Symbol.asyncDispose]()
  await testing.drop()
})
beforeEach(() => {
  runs = 0
  work = () => Promise.resolve()
})

const post = (key: string, path = '/api/v1/test', content: unknown = { n: 1 }, token = 'owner') =>
  kernel.send('POST', path, content, { 'idempotency-key': key, authorization: `Bearer ${token}` })
const seen = async (response: Response) => ({
  status: response.status,
  replayed: response.headers.get('idempotent-replayed'),
  location: response.headers.get('location'),
  body: await response.json(),
})
const keysOf = async () =>
  (await sql<{ reply: Buffer | null; status: number | null }>`select * from idempotency_keys`.execute(testing.database.system)).rows
const codeOf = async (response: Response) => (await problemIn(response)).code

describe.each([
  ['the transaction of the request', '/api/v1/test'],
  ['transactions of its own', '/api/v1/open'],
])('with an Idempotency-Key and %s,', (_, path) => {
  test('a request is performed once, and its repetition gets the first response with its headers', async () => {
    const key = randomUUID()
    const first = await seen(await post(key, path))
    const audits = kernel.audits.length
    const again = await seen(await post(key, path))
    expect(first).toEqual({ status: 200, replayed: null, location: '/runs/1', body: { secret: 'secret of run 1 with 1' } })
    expect(again).toEqual({ ...first, replayed: 'true' })
    expect([runs, kernel.audits.length]).toEqual([1, audits])
  })

  test('a request with other parameters is a 409', async () => {
    const key = randomUUID()
    await post(key, path)
    expect(await codeOf(await post(key, path, { n: 2 }))).toBe('idempotency_key_reused')
    expect(await codeOf(await post(key, `${path}?q=1`))).toBe('idempotency_key_reused')
    expect(runs).toBe(1)
  })

  test('a request with a lasting refusal gets the same refusal again without being performed', async () => {
    const key = randomUUID()
    work = () => Promise.reject(new Fault('conflict', { detail: 'Not now.' }))
    const first = await problemIn(await post(key, path))
    work = () => Promise.resolve()
    const again = await post(key, path)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await problemIn(again)).toEqual({ ...first, requestId: again.headers.get('x-request-id') })
    expect([first.status, runs]).toEqual([409, 1])
  })

  test('a request that failed on the server, or exceeded a limit, is performed again', async () => {
    const key = randomUUID()
    const failures = [new Error('disk full'), new Fault('rate_limited')]
    for (const failure of failures) {
      work = () => Promise.reject(failure)
      expect((await post(key, path)).ok).toBe(false)
    }
    work = () => Promise.resolve()
    expect((await post(key, path)).status).toBe(200)
    expect(runs).toBe(3)
  })

  test('the table contains neither the response nor the key in the clear', async () => {
    const key = randomUUID()
    await post(key, path)
    const rows = await keysOf()
    const dump = rows.map((row) => row.reply?.toString('latin1') ?? '').join()
    expect(dump).not.toContain('secret of run')
    expect(JSON.stringify(rows)).not.toContain(key)
  })
})

test('a concurrent second request waits for the first and gets its response', async () => {
  const key = randomUUID()
  let go: () => void = () => undefined
  const blocked = new Promise<void>((resolve) => {
    go = resolve
  })
  let started: () => void = () => undefined
  const running = new Promise<void>((resolve) => {
    started = resolve
  })
  work = () => {
    started()
    return blocked
  }
  const first = post(key)
  await running
  const second = post(key)
  // The second has reached the database, where it waits for the row of the first.
  await expect
    .poll(
      async () =>
        (
          await sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%idempotency_keys%'`.execute(
            testing.database.system,
          )
        ).rows.length,
    )
    .toBe(1)
  go()
  const [firstSeen, secondSeen] = [await seen(await first), await seen(await second)]
  expect([firstSeen.replayed, secondSeen.replayed, secondSeen.body]).toEqual([null, 'true', firstSeen.body])
  expect(runs).toBe(1)
})

test('a second request waits no longer than the statement timeout and gets Retry-After', async () => {
  await using shortTimeout = await createTestDatabase({ statementTimeoutMs: 100 })
  const { database } = shortTimeout
  await sql`insert into accounts (id, name) values (${accountId}, 'test')`.execute(database.system)
  const store = createIdempotencyStore({ db: database.system, randomBytes })
  const use = { owner: 'user:1', accountId, key: randomUUID(), operation: 'x', fingerprint: Buffer.alloc(32), claimId: randomUUID() }
  await database.account(accountId, async (first) => {
    await store.claim(first, use)
    const second = database.account(accountId, (tx) => store.claim(tx, use))
    await expect(second).rejects.toMatchObject({ code: 'idempotency_in_progress', details: { retryAfterSeconds: 5 } })
  })
})

test('a second request that waits for a failing first is performed itself', async () => {
  const key = randomUUID()
  work = () => (runs === 1 ? Promise.reject(new Error('crash')) : Promise.resolve())
  const responses = await Promise.all([post(key), post(key)])
  expect(new Set(responses.map((response) => response.status))).toEqual(new Set([200, 500]))
})

test('twenty racing requests under one key have one effect', async () => {
  const key = randomUUID()
  const responses = await Promise.all(Array.from({ length: 20 }, () => post(key)))
  const bodies = new Set(await Promise.all(responses.map((response) => response.text())))
  expect([runs, bodies.size]).toEqual([1, 1])
})

test('a second request during one with transactions of its own gets 409 with Retry-After', async () => {
  const key = randomUUID()
  let second: Response | undefined
  work = async () => {
    second ??= await post(key, '/api/v1/open')
  }
  expect((await post(key, '/api/v1/open')).status).toBe(200)
  expect([second?.status, second?.headers.get('retry-after')]).toEqual([409, '1'])
  expect(second && (await codeOf(second))).toBe('idempotency_in_progress')
})

test('the effect, the response and the key are committed together or not at all', async () => {
  const key = randomUUID()
  const before = (await keysOf()).length
  work = async (ctx) => {
    await sql`update accounts set name = 'changed' where id = ${accountId}`.execute(ctx.tx)
    throw new Error('crash')
  }
  await post(key)
  const { rows } = await sql<{ name: string }>`select name from accounts where id = ${accountId}`.execute(testing.database.system)
  expect([rows[0]?.name, (await keysOf()).length]).toEqual(['test', before])
})

test('the same key of another user, account or address is another key', async () => {
  const key = randomUUID()
  const users = ['owner', `owner user=${randomUUID()}`, `owner account=${otherAccount} user=${randomUUID()}`]
  for (const user of users) expect((await seen(await post(key, '/api/v1/test', { n: 1 }, user))).replayed).toBeNull()
  expect((await seen(await post(key, '/api/v1/open'))).replayed).toBeNull()
  expect(runs).toBe(4)
})

test('an alias and its target share their keys, and another operation refuses them', async () => {
  const key = randomUUID()
  await post(key)
  expect((await seen(await post(key, '/again'))).replayed).toBe('true')
  expect(await codeOf(await post(key, '/api/v1/other'))).toBe('idempotency_key_reused')
})

test('an expired key is free again and is swept', async () => {
  const key = randomUUID()
  await post(key)
  await sql`update idempotency_keys set expires_at = now() - interval '1 second'`.execute(testing.database.system)
  expect((await seen(await post(key, '/api/v1/test', { n: 5 }))).body).toEqual({ secret: 'secret of run 2 with 5' })
  await sql`update idempotency_keys set expires_at = now() - interval '1 second'`.execute(testing.database.system)
  expect(await sweepIdempotencyKeys(testing.database.system, 1)).toBe(1)
  while ((await sweepIdempotencyKeys(testing.database.system, 100)) > 0);
  expect(await keysOf()).toEqual([])
})

test('a response is stored for at least 24 hours', async () => {
  await post(randomUUID())
  await post(randomUUID(), '/api/v1/open')
  const { rows } = await sql`select 1 from idempotency_keys where expires_at < now() + interval '24 hours'`.execute(testing.database.system)
  expect(rows).toEqual([])
})

test('the key of a process that died during the request is free again after a minute', async () => {
  const key = randomUUID()
  work = () =>
    sql`update idempotency_keys set expires_at = now() where status is null`.execute(testing.database.system).then(() => undefined)
  const store = createIdempotencyStore({ db: testing.database.system, randomBytes })
  const use = { owner: 'ip:192.0.2.1', accountId: undefined, key, operation: 'x', fingerprint: Buffer.alloc(32), claimId: randomUUID() }
  expect(await store.claim(undefined, use)).toBeUndefined()
  await expect(store.claim(undefined, use)).rejects.toMatchObject({ code: 'idempotency_in_progress' })
  const { rows } = await sql`select 1 from idempotency_keys where status is null and expires_at < now() + interval '61 seconds'`.execute(
    testing.database.system,
  )
  expect(rows).toHaveLength(1)
  await sql`update idempotency_keys set expires_at = now() where status is null`.execute(testing.database.system)
  expect(await store.claim(undefined, use)).toBeUndefined()
})

const useOf = (key: string, claimId: string) => ({
  owner: 'ip:192.0.2.1',
  accountId: undefined,
  key,
  operation: 'x',
  fingerprint: Buffer.alloc(32),
  claimId,
})
const responseOf = (text: string) => ({ status: 200, contentType: 'application/json', headers: {}, body: text })

test('a claim is renewed while its request runs', async () => {
  const db = testing.database.system
  const store = createIdempotencyStore({ db, randomBytes, renewMs: 10 })
  const [first, key] = [randomUUID(), randomUUID()]
  const leftSeconds = async () => {
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from expires_at - now())::float8 as seconds from idempotency_keys where claim_id = ${first}`.execute(db)
    return rows[0]?.seconds
  }
  const shorten = () => sql`update idempotency_keys set expires_at = now() + interval '20 seconds' where claim_id = ${first}`.execute(db)
  await store.claim(undefined, useOf(key, first))
  const end = store.keep(useOf(key, first))
  await shorten()
  await expect.poll(leftSeconds).toBeGreaterThan(30)
  end()
})

test('a request that lost its claim stores no response, and does not release the claim of its successor', async () => {
  const store = createIdempotencyStore({ db: testing.database.system, randomBytes })
  const [first, second, third, key] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  await store.claim(undefined, useOf(key, first))
  await sql`update idempotency_keys set expires_at = now() where claim_id = ${first}`.execute(testing.database.system)
  expect(await store.claim(undefined, useOf(key, second))).toBeUndefined()
  await store.save(undefined, useOf(key, first), responseOf('of the first'))
  await store.release(useOf(key, first))
  await expect(store.claim(undefined, useOf(key, third))).rejects.toMatchObject({ code: 'idempotency_in_progress' })
  await store.save(undefined, useOf(key, second), responseOf('of the second'))
  expect(await store.claim(undefined, useOf(key, third))).toEqual(responseOf('of the second'))
})

test('a stored response is never replaced by a later one', async () => {
  const store = createIdempotencyStore({ db: testing.database.system, randomBytes })
  const use = {
    owner: 'ip:192.0.2.1',
    accountId: undefined,
    key: randomUUID(),
    operation: 'x',
    fingerprint: Buffer.alloc(32),
    claimId: randomUUID(),
  }
  const stored = { status: 200, contentType: 'application/json', headers: {}, body: 'first' }
  await store.claim(undefined, use)
  await store.save(undefined, use, stored)
  await store.save(undefined, use, { ...stored, body: 'second' })
  await store.release(use)
  expect(await store.claim(undefined, use)).toEqual(stored)
})

test.each([
  ['empty', ''],
  ['of 256 characters', 'x'.repeat(256)],
])('a key that is %s is a 400', async (_, key) => {
  const response = await post(key)
  expect(response.status).toBe(400)
  expect((await problemIn(response)).errors).toEqual([
    { pointer: '/idempotency-key', detail: 'Must be one value of 1 to 255 characters.', in: 'header' },
  ])
  expect(runs).toBe(0)
})

test('an invalid request does not claim its key', async () => {
  const key = randomUUID()
  expect((await post(key, '/api/v1/test', { n: 'one' })).status).toBe(400)
  expect((await post(key)).status).toBe(200)
})

test('one account cannot see the keys of another', async () => {
  await post(randomUUID())
  const rows = await testing.database.account(
    otherAccount,
    async (tx) => (await sql`select account_id from idempotency_keys`.execute(tx)).rows,
  )
  expect(rows.filter((row) => JSON.stringify(row).includes(accountId))).toEqual([])
})
