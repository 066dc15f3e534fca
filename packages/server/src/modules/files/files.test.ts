import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteExpiredFiles, deleteFilesOf } from '#platform/files/file-store.ts'
import { createFiles } from '#platform/files/files.ts'
import { runTasks } from '#testing/run-tasks.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const path = '/api/v1/files'
const mebibyte = 1024 * 1024

let server: TestServer
let operator: TestAccount
beforeAll(async () => {
  server = await createTestServer()
  operator = await server.registerAccount()
  await sql`update users set is_operator = true where id = ${operator.userId}`.execute(server.database.system)
})
afterAll(() => server.close())

const digest = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')

async function upload(
  account: TestAccount,
  query: Record<string, string>,
  body: NonNullable<RequestInit['body']> | null,
  type = 'text/plain',
  url = server.url,
) {
  const headers = { authorization: `Bearer ${account.token}`, 'content-type': type }
  const response = await fetch(`${url}${path}?${new URLSearchParams(query).toString()}`, { method: 'PUT', headers, body })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Tests compare members of the reply.
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}

const download = (account: TestAccount, id = '', headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}/${id}/content`, { headers: { authorization: `Bearer ${account.token}`, ...headers } })

const namesOf = async (account: TestAccount, query = '') =>
  (await account.send('GET', `${path}${query}`)).body.data.map(({ name }: { name: string }) => name)

async function chunksOf(account: TestAccount): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int4 as count from file_chunks where account_id = ${account.accountId}`.execute(server.database.system)
  return rows[0]?.count ?? -1
}

async function accountOn(tier: string, bytes: number): Promise<TestAccount> {
  const limits = { storage_bytes: { soft: bytes, hard: bytes } }
  await operator.send('PUT', `/api/v1/billing/plans/${tier}`, { name: tier, rank: 1, limits, prices: [], isPublic: true })
  const account = await server.registerAccount()
  await account.send('POST', '/api/v1/billing/subscribe', { tier })
  return account
}

/** Sends the beginning of an upload, and no end of it. */
function beginUpload(account: TestAccount, name: string, beginning: Buffer) {
  const headers = { authorization: `Bearer ${account.token}`, 'content-length': String(beginning.length + 1) }
  const sent = request(`${server.url}${path}?name=${name}`, { method: 'PUT', headers })
  sent.on('error', () => undefined)
  sent.write(beginning)
  return sent
}

describe('a file', () => {
  test('is uploaded, listed and downloaded whole or in part, as an attachment that no browser interprets', async () => {
    const account = await server.registerAccount()
    const content = randomBytes(1_500_000)
    const { status, body } = await upload(account, { name: 'reports/Ä "1"\u2019s.html', expiresIn: 'P1D' }, content, 'text/html')
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        contentType: 'text/html',
        size: 1_500_000,
        sha256: digest(content),
        writtenBy: expect.stringMatching(/^user:usr_/),
      }),
    ])
    expect((await account.send('GET', `${path}?prefix=reports/`)).body).toEqual({ data: [body], nextCursor: null })
    expect((await account.send('GET', `${path}/${body.id}`)).body).toEqual(body)
    const whole = await download(account, body.id)
    expect(Buffer.from(await whole.arrayBuffer()).equals(content)).toBe(true)
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'text/html',
      'content-disposition': `attachment; filename="-1-s.html"; filename*=UTF-8''%C3%84%20%221%22%E2%80%99s.html`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cache-control': 'no-store',
    })
    const part = await download(account, body.id, { range: 'bytes=524280-524299', 'if-range': whole.headers.get('etag') ?? '' })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 524280-524299/1500000'])
    expect(Buffer.from(await part.arrayBuffer()).equals(content.subarray(524_280, 524_300))).toBe(true)
    expect((await account.send('DELETE', `${path}/${body.id}`)).body).toEqual({ id: body.id, deleted: true })
    expect((await download(account, body.id)).status).toBe(404)
    const { meters } = (await account.send('GET', '/api/v1/billing/usage')).body
    expect(meters.find(({ meter }: { meter: string }) => meter === 'storage_bytes').used).toBe(0)
    await deleteExpiredFiles(server.database.system, new Date(Date.now() + 6 * 60 * 1000), 50)
    expect(await chunksOf(account)).toBe(0)
  })

  test('is downloaded once by a link without a credential', async () => {
    const account = await server.registerAccount()
    const { body } = await upload(account, { name: 'a.txt' }, 'linked')
    const { url } = (await account.send('POST', `${path}/${body.id}/link`)).body
    expect(await (await fetch(`${server.url}${url}`)).text()).toBe('linked')
    expect((await fetch(`${server.url}${url}`)).status).toBe(404)
  })

  test('keeps its id when it is replaced, and is an empty one without a body', async () => {
    const account = await server.registerAccount()
    const first = await upload(account, { name: 'a' }, 'one')
    const second = await upload(account, { name: 'a' }, null)
    expect(second.body).toMatchObject({ id: first.body.id, createdAt: first.body.createdAt, size: 0, sha256: digest('') })
    expect(await (await download(account, first.body.id)).text()).toBe('')
  })

  test('is in the audit log when it is written, downloaded and deleted', async () => {
    const account = await server.registerAccount()
    const { body } = await upload(account, { name: 'audited' }, 'x')
    await (await download(account, body.id)).text()
    await account.send('DELETE', `${path}/${body.id}`)
    const { rows } = await sql<{ event: string }>`
      select event from audit_events where account_id = ${account.accountId} and details->>'name' = 'audited' order by id`.execute(
      server.database.system,
    )
    expect(rows.map(({ event }) => event)).toEqual(['file.written', 'file.downloaded', 'file.deleted'])
  })

  test.each(['', '../a', '/a', 'a//b', 'a/.', 'a\\b', 'a\nb', 'a\u202Eb', 'x'.repeat(513)])('has not the name %j', async (name) => {
    expect(await upload(operator, { name }, 'x')).toMatchObject({ status: 400, body: { errors: [{ pointer: '/name' }] } })
  })

  test('of more than its limit is refused before it is sent', async () => {
    const headers = { authorization: `Bearer ${operator.token}`, 'content-length': String(1024 ** 3 + 1) }
    const sent = request(`${server.url}${path}?name=huge`, { method: 'PUT', headers })
    sent.flushHeaders()
    const status = await new Promise((resolve, reject) => {
      sent.on('response', ({ statusCode }) => resolve(statusCode))
      sent.on('error', reject)
    })
    sent.destroy()
    expect(status).toBe(413)
  })
})

test('lists have pages in the order of the names', async () => {
  const account = await server.registerAccount()
  for (const name of ['b', 'ä', 'a/2', 'a', 'a/1']) await upload(account, { name }, name)
  const first = (await account.send('GET', `${path}?limit=3`)).body
  expect(first.data.map(({ name }: { name: string }) => name)).toEqual(['a', 'a/1', 'a/2'])
  expect(await namesOf(account, `?limit=3&cursor=${first.nextCursor}`)).toEqual(['b', 'ä'])
  const hostile = Buffer.from(JSON.stringify(['a\0'])).toString('base64url')
  expect(await account.send('GET', `${path}?cursor=${hostile}`)).toMatchObject({ status: 400, body: { errors: [{ pointer: '/cursor' }] } })
})

describe('an upload', () => {
  test('is written while it arrives, is not seen before its end, and leaves nothing when it breaks off', async () => {
    const account = await server.registerAccount()
    await upload(account, { name: 'kept' }, 'old')
    const sent = beginUpload(account, 'kept', randomBytes(4 * mebibyte))
    await expect.poll(() => chunksOf(account)).toBeGreaterThan(4)
    const { data } = (await account.send('GET', path)).body
    expect(data).toMatchObject([{ name: 'kept', size: 3 }])
    sent.destroy()
    await expect.poll(() => chunksOf(account)).toBe(1)
    expect(await (await download(account, data[0].id)).text()).toBe('old')
  })

  test('whose process is killed is never seen, and its bytes are deleted later', async () => {
    const account = await server.registerAccount()
    const db = server.database.system
    const died = new Promise<never>(() => undefined)
    async function* halfOf() {
      yield Buffer.alloc(mebibyte, 'h')
      await died
    }
    // As in a process that is killed: the rest of the code never runs.
    void createFiles({ db, now: Date.now, newId: randomUUID, randomBytes }).receive(
      account.accountId,
      { name: 'half', media: 'text/plain', bytesMax: 9e9 },
      halfOf(),
    )
    await expect.poll(() => chunksOf(account)).toBeGreaterThan(0)
    expect(await namesOf(account)).toEqual([])
    const { meters } = (await account.send('GET', '/api/v1/billing/usage')).body
    expect(meters.find(({ meter }: { meter: string }) => meter === 'storage_bytes').used).toBe(0)
    await deleteExpiredFiles(db, new Date(Date.now() + 3 * 60 * 60 * 1000), 50)
    expect(await chunksOf(account)).toBe(0)
  })

  test('that is refused leaves the connection usable', async () => {
    const account = await accountOn('tiny', 1_000)
    const refused = await upload(account, { name: 'a' }, new Uint8Array(2 * mebibyte))
    expect(refused).toMatchObject({ status: 429, body: { code: 'quota_exceeded', meter: 'storage_bytes', used: 0, limit: 1_000 } })
    expect(refused.body['detail']).toContain('Delete files')
    expect((await upload(account, { name: 'a' }, 'small')).status).toBe(200)
  })

  test('without an announced size is refused when it exceeds the limit of the plan, and leaves nothing', async () => {
    const account = await accountOn('small', mebibyte)
    async function* endless() {
      for (let sent = 0; sent < 64; sent++) {
        yield new Uint8Array(mebibyte / 4)
        await setImmediate()
      }
    }
    const headers = { authorization: `Bearer ${account.token}` }
    const response = await fetch(`${server.url}${path}?name=a`, { method: 'PUT', headers, body: endless(), duplex: 'half' })
    expect([response.status, await response.json()]).toEqual([429, expect.objectContaining({ code: 'quota_exceeded' })])
    await expect.poll(() => chunksOf(account)).toBe(0)
  })
})

test('readers of a file that is replaced again and again get one whole content each', async () => {
  const account = await server.registerAccount()
  // Two parts. More requests than connections would wait for each other, and a busy server refuses some.
  const contentOf = (letter: string) => Buffer.alloc(600_000, letter)
  const { body } = await upload(account, { name: 'raced' }, contentOf('0'))
  const writes = Array.from({ length: 3 }, (_, index) => upload(account, { name: 'raced' }, contentOf(String(index + 1))))
  const reads = Array.from({ length: 6 }, async () => {
    const response = await download(account, body.id)
    const content = Buffer.from(await response.arrayBuffer())
    return [
      response.status,
      response.headers.get('etag') === `"${digest(content)}"`,
      content.equals(Buffer.alloc(content.length, content[0])),
    ]
  })
  const [written, read] = await Promise.all([Promise.all(writes), Promise.all(reads)])
  expect(written.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(read).toEqual(Array.from({ length: 6 }, () => [200, true, true]))
  expect(await namesOf(account)).toEqual(['raced'])
})

test('twenty writers at once do not exceed the storage of the plan, and all of it is used', async () => {
  const account = await accountOn('five', 5_000)
  const branches = Array.from({ length: 20 }, (_, index) => ({
    [`b${index}`]: {
      try: [{ put: { call: 'files.put', with: { name: `f/${index}`, text: 'x'.repeat(1_000) }, output: { as: '"kept"' } } }],
      catch: { as: 'error', do: [{ no: { set: '${ $error.status }' } }] },
    },
  }))
  const { output } = await runTasks(account, [{ all: { fork: { branches } } }])
  const ends: unknown[] = Object.values(output).flat()
  expect(JSON.stringify(ends).match(/kept/g)).toHaveLength(5)
  expect(JSON.stringify(ends).match(/429/g)).toHaveLength(15)
  expect(await namesOf(account)).toHaveLength(5)
  // What is replaced is not counted twice.
  const [name = ''] = await namesOf(account)
  expect((await upload(account, { name }, 'y'.repeat(1_000))).status).toBe(200)
  expect((await upload(account, { name }, 'y'.repeat(1_001))).status).toBe(429)
})

test('the overview of the data counts files', async () => {
  const account = await server.registerAccount()
  await upload(account, { name: 'a' }, 'x')
  const { categories } = (await account.send('GET', '/api/v1/account/data')).body
  expect(categories.find(({ category }: { category: string }) => category === 'files')).toMatchObject({ records: 1, exported: true })
})

test('the purge of an account deletes its files with their names and contents, and no other', async () => {
  const [account, other] = [await server.registerAccount(), await server.registerAccount()]
  for (const each of [account, other]) await upload(each, { name: 'a' }, 'x')
  // As the purge calls it.
  await deleteFilesOf(server.database.system, account.accountId)
  expect([await namesOf(account), await chunksOf(account)]).toEqual([[], 0])
  expect([await namesOf(other), await chunksOf(other)]).toEqual([['a'], 1])
})
