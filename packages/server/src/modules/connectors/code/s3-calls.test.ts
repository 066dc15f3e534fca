import { afterAll, beforeAll, expect, test } from 'vitest'
import { runTasks } from '#testing/run-tasks.ts'
import { startS3Server } from '#testing/s3-server.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const credentials = { region: 'eu-test-1', accessKeyId: 'workflow', secretAccessKey: ['s3', 'secret', '4711'].join('-') }

let server: TestServer
let account: TestAccount
let s3: Awaited<ReturnType<typeof startS3Server>>
beforeAll(async () => {
  s3 = await startS3Server('files', credentials)
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
  expect((await run('put', { key, contentBase64 })).output).toMatchObject({ key, size: 5 })
  expect((await run('get', { key })).output).toEqual({ key, size: 5, contentType: 'application/octet-stream', etag: '"1"', contentBase64 })
  await run('put', { key: 'note.txt', text: 'Grüße', contentType: 'text/markdown' })
  expect((await run('get', { key: 'note.txt', as: 'text' })).output).toMatchObject({ text: 'Grüße', contentType: 'text/markdown' })
  expect((await run('get', { key, as: 'text' })).error).toMatchObject({ status: 400, detail: expect.stringContaining('not text') })
})

test('objects are listed by prefix, page by page', async () => {
  for (const name of ['a', 'b', 'c']) s3.objects.set(`list/${name}`, { body: Buffer.from(name), type: 'text/plain' })
  const first = (await run('list', { prefix: 'list/', limit: 2 })).output
  expect(first.objects).toMatchObject([{ key: 'list/a', size: 1, modifiedAt: '2026-01-01T00:00:00.000Z' }, { key: 'list/b' }])
  const second = (await run('list', { prefix: 'list/', limit: 2, token: first.nextToken })).output
  expect(second).toMatchObject({ objects: [{ key: 'list/c' }], nextToken: null })
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
