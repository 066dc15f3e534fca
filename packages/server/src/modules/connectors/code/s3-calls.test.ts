import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runTasks } from '#testing/run-tasks.ts'
import { startS3Server } from '#testing/s3-server.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { hasSwift, startSwiftServer } from '#testing/swift-server.ts'

const credentials = { region: 'eu-test-1', accessKeyId: 'files:workflow', secretAccessKey: ['s3', 'secret', '4711'].join('-') }

let server: TestServer
let account: TestAccount
let s3: { readonly url: string } & AsyncDisposable
beforeAll(async () => {
  // Without Swift, a stand-in of ours, whose signatures the signer of AWS checks.
  s3 = await (hasSwift ? startSwiftServer : startS3Server)('files', credentials)
  server = await createTestServer()
  account = await server.registerAccount()
  const { region, accessKeyId, secretAccessKey } = credentials
  const settings = { kind: 's3', url: s3.url, region, bucket: 'files', accessKeyId }
  await connect('store', settings, secretAccessKey)
  await connect('wrong', settings, 'another-key')
  await connect('missing', { ...settings, bucket: 'nothing' }, secretAccessKey)
})
afterAll(async () => {
  await server.close()
  await s3[Symbol.asyncDispose]()
})

async function connect(name: string, settings: object, secretAccessKey: string) {
  const made = await account.send('POST', '/api/v1/connections', { name, settings, secrets: { secretAccessKey } })
  expect([made.status, made.body.errors]).toEqual([200, undefined])
}

const run = (call: string, given: object) => runTasks(account, [{ it: { call: `s3.${call}`, with: { connection: 'store', ...given } } }])

test('what is written is read again, byte for byte, with its type', async () => {
  const contentBase64 = Buffer.from([0, 255, 128, 7, 195]).toString('base64')
  const key = 'in/ä b+c&d.bin'
  const etag = `"${createHash('md5').update(Buffer.from(contentBase64, 'base64')).digest('hex')}"`
  expect((await run('put', { key, contentBase64 })).output).toEqual({ key, size: 5, etag })
  expect((await run('get', { key })).output).toEqual({ key, size: 5, contentType: 'application/octet-stream', etag, contentBase64 })
  await run('put', { key: 'note.txt', text: 'Grüße', contentType: 'text/markdown' })
  expect((await run('get', { key: 'note.txt', as: 'text' })).output).toMatchObject({ text: 'Grüße', contentType: 'text/markdown' })
  expect((await run('get', { key, as: 'text' })).error).toMatchObject({ status: 400, detail: expect.stringContaining('not text') })
})

test('objects are listed by prefix, page by page', async () => {
  for (const name of ['a', 'b', 'c']) await run('put', { key: `list/${name}`, text: name })
  const first = (await run('list', { prefix: 'list/', limit: 2 })).output
  expect(first.objects).toMatchObject([{ key: 'list/a', size: 1, modifiedAt: expect.stringMatching(/^20.*Z$/) }, { key: 'list/b' }])
  const second = (await run('list', { prefix: 'list/', limit: 2, token: first.nextToken })).output
  expect(second).toMatchObject({ objects: [{ key: 'list/c' }], nextToken: null })
})

test('an object is deleted, also when it is gone already', async () => {
  await run('put', { key: 'old.txt', text: 'old' })
  for (const _ of [1, 2]) expect((await run('delete', { key: 'old.txt' })).output).toEqual({ key: 'old.txt' })
  expect((await run('get', { key: 'old.txt' })).error).toMatchObject({ status: 404 })
})

// The stand-in knows no signed URLs.
test.skipIf(!hasSwift)('a link reads or writes an object for a time without credentials, and a large object by nothing else', async () => {
  const key = 'large/ä b+c&d%2F.bin'
  const { output: writing } = await run('link', { key, for: 'writing', expiresInSeconds: 60 })
  expect(writing).toMatchObject({ method: 'PUT', url: expect.stringContaining('X-Amz-Expires=60') })
  expect(Date.parse(writing.expiresAt)).toBeGreaterThan(Date.now())
  const large = Buffer.alloc(9 * 1024 * 1024, 'a')
  expect((await fetch(writing.url, { method: 'PUT', body: large })).status).toBe(200)
  const reading = (await run('link', { key })).output
  expect(Buffer.from(await (await fetch(reading.url)).arrayBuffer()).equals(large)).toBe(true)
  expect((await fetch(reading.url, { method: 'DELETE' })).status).toBe(403)
  expect((await fetch(reading.url.replace('large', 'other'))).status).toBe(403)
  expect((await run('get', { key })).error).toMatchObject({ detail: expect.stringContaining('larger than 8388608 bytes') })
})

test.each<[string, string, object, number]>([
  ['an object that is not there', 'get', { key: 'nothing' }, 404],
  ['a bucket that is not there', 'list', { connection: 'missing' }, 404],
  ['a wrong key of the connection', 'put', { connection: 'wrong', key: 'a', text: 'a' }, 403],
])('%s is an error with the status of the service', async (_what, call, given, status) => {
  expect(await run(call, given)).toMatchObject({ state: 'faulted', error: { status } })
})

test.each(['../other/a', 'a/../../other/a', '/a', './a', 'a/..'])(
  'the key %s, which could lead to another bucket, is refused',
  async (key) => {
    const task = { call: 's3.get', with: { connection: 'store', key } }
    const definition = { document: { dsl: '1.0.3', namespace: 'tests', name: 'keys', version: '1.0.0' }, do: [{ a: task }] }
    const { status, body } = await account.send('POST', '/api/v1/workflows', { definition, publish: true })
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('invalid_argument')])
  },
)
