import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteExpiredFiles } from '#platform/files/file-store.ts'
import { runTasks } from '#testing/run-tasks.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
let account: TestAccount
beforeAll(async () => {
  server = await createTestServer()
  account = await server.registerAccount()
})
afterAll(() => server.close())

const run = (call: string, given: object, by = account) => runTasks(by, [{ it: { call: `files.${call}`, with: given } }])
const digest = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')

test('a workflow writes, lists, reads and deletes a file', async () => {
  const end = await runTasks(account, [
    { put: { call: 'files.put', with: { name: 'flow/a.csv', text: 'a;b', contentType: 'text/csv' }, export: { as: '{ put: . }' } } },
    { list: { call: 'files.list', with: { prefix: 'flow/' }, export: { as: '$context + { list: . }' } } },
    { get: { call: 'files.get', with: { name: 'flow/a.csv', as: 'text' }, export: { as: '$context + { get: . }' } } },
    { delete: { call: 'files.delete', with: { name: 'flow/a.csv' } } },
    { left: { call: 'files.list', with: { prefix: 'flow/' }, output: { as: '$context + { left: .files }' } } },
  ])
  const about = { name: 'flow/a.csv', size: 3, contentType: 'text/csv', sha256: digest('a;b'), expiresAt: null }
  expect(end.output).toMatchObject({ put: about, list: { files: [about], nextCursor: null }, get: { ...about, text: 'a;b' }, left: [] })
})

test('what is written is read again, byte for byte, in parts, as text and as a value', async () => {
  const bytes = Buffer.from([0, 255, 128, 7, 195])
  const name = 'in/ä b+c&d%2F.bin'
  await run('put', { name, contentBase64: bytes.toString('base64') })
  expect((await run('get', { name })).output).toMatchObject({
    size: 5,
    contentType: 'application/octet-stream',
    sha256: digest(bytes),
    contentBase64: bytes.toString('base64'),
  })
  expect((await run('get', { name, offset: 1, length: 2 })).output.contentBase64).toBe(bytes.subarray(1, 3).toString('base64'))
  expect((await run('get', { name, offset: 9 })).output.contentBase64).toBe('')
  expect((await run('get', { name, as: 'text' })).error).toMatchObject({ status: 400, detail: expect.stringContaining('not text') })
  await run('put', { name: 'value.json', json: { total: [1, null] } })
  expect((await run('get', { name: 'value.json', as: 'json' })).output).toMatchObject({
    contentType: 'application/json',
    json: { total: [1, null] },
  })
  expect((await run('get', { name: 'nothing' })).error).toMatchObject({ status: 404 })
})

test('a file of several chunks is read whole up to the limit of a value, and beyond it in parts', async () => {
  const content = Buffer.alloc(1_300_005, 'abcdefg')
  await run('put', { name: 'chunks', text: '${ "abcdefg" * 185715 }' })
  expect((await run('get', { name: 'chunks', offset: 524_280, length: 20, as: 'text' })).output.text).toBe(
    content.toString('latin1', 524_280, 524_300),
  )
  expect((await run('stat', { name: 'chunks' })).output).toMatchObject({ size: content.length, sha256: digest(content) })
  await run('put', { name: 'large', text: '${ "x" * 7340032 }' })
  expect((await run('get', { name: 'large' })).error).toMatchObject({ status: 400, detail: expect.stringContaining('offset and length') })
})

test('the same name and content written again is one file, and a name is the same in both Unicode forms', async () => {
  for (const name of ['same/é', 'same/e\u0301', 'same/é']) await run('put', { name, text: 'one' })
  const { output } = await run('list', { prefix: 'same/' })
  expect(output.files).toMatchObject([{ name: 'same/é', size: 3 }])
})

test('files are listed by prefix in the order of their names, page by page', async () => {
  for (const name of ['p/c', 'p/a', 'p/b/1', 'pp', 'p/\u{1F600}']) await run('put', { name, text: name })
  const first = (await run('list', { prefix: 'p/', limit: 3 })).output
  expect(first.files).toMatchObject([{ name: 'p/a' }, { name: 'p/b/1' }, { name: 'p/c' }])
  const second = (await run('list', { prefix: 'p/', limit: 3, cursor: first.nextCursor })).output
  expect(second).toMatchObject({ files: [{ name: 'p/\u{1F600}' }], nextCursor: null })
})

test('a file with an end is not there after it, and its bytes are deleted', async () => {
  const given = { name: 'short', text: 'gone soon', expiresIn: 'PT1H' }
  expect((await run('put', given)).output.expiresAt).toMatch(/^20.*Z$/)
  const db = server.database.system
  const content = sql<{
    count: number
  }>`select count(*)::int4 as count from file_chunks where account_id = ${account.accountId} and content = 'gone soon'`
  expect((await content.execute(db)).rows).toEqual([{ count: 1 }])
  for (const table of ['files', 'account_files'])
    await sql`update ${sql.table(table)} set expires_at = now() - interval '1 minute' where account_id = ${account.accountId} and expires_at is not null`.execute(
      db,
    )
  expect((await run('get', { name: 'short' })).error).toMatchObject({ status: 404 })
  expect((await run('list', { prefix: 'short' })).output.files).toEqual([])
  await deleteExpiredFiles(db, new Date(), 50)
  expect((await content.execute(db)).rows).toEqual([{ count: 0 }])
})

test('an account neither reads nor lists nor deletes the files of another', async () => {
  const other = await server.registerAccount()
  await run('put', { name: 'own/secret', text: 'mine' })
  expect((await run('get', { name: 'own/secret' }, other)).error).toMatchObject({ status: 404 })
  expect((await run('list', {}, other)).output.files).toEqual([])
  await run('delete', { name: 'own/secret' }, other)
  await run('put', { name: 'own/secret', text: 'theirs' }, other)
  expect((await run('get', { name: 'own/secret', as: 'text' })).output.text).toBe('mine')
  const visible = await server.database.account(other.accountId, async (tx) => {
    const { rows } = await sql<{ name: string }>`select name from account_files`.execute(tx)
    return rows
  })
  expect(visible).toEqual([{ name: 'own/secret' }])
})

test.each(['../a', 'a/../b', '/a', 'a/', 'a//b', './a', 'a\\b', 'a\u0000b', 'a\nb'])(
  'the name %j is refused when the definition is saved',
  async (name) => {
    const task = { call: 'files.put', with: { name, text: '' } }
    const definition = { document: { dsl: '1.0.3', namespace: 'tests', name: 'names', version: '1.0.0' }, do: [{ a: task }] }
    const { status } = await account.send('POST', '/api/v1/workflows', { definition, publish: true })
    expect([400, 422]).toContain(status)
  },
)

test.each([{ prefix: '${ [0] | implode }' }, { cursor: '${ [0] | implode }' }, { cursor: '${ "../a" }' }])(
  'a list of %j is refused',
  async (given) => {
    expect(await run('list', given)).toMatchObject({ state: 'faulted', error: { status: 400 } })
  },
)

test.each(['../a', 'a/\u202Egnp.exe', 'x'.repeat(513), 'a\u0085b'])(
  'the name %j that is computed is refused when the task runs',
  async (name) => {
    const end = await runTasks(account, [{ it: { call: 'files.put', with: { name: '${ .name }', text: '' } } }], { name })
    expect(end).toMatchObject({ state: 'faulted', error: { status: 400 } })
  },
)
