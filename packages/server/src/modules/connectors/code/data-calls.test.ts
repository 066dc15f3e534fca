import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startRecordingService } from '#testing/recording-service.ts'
import { runTasks } from '#testing/run-tasks.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const feed = { version: 'https://jsonfeed.org/version/1.1', title: 'News', items: [{ id: 'a', title: 'One' }, { id: 'b' }] }

let server: TestServer
let service: Awaited<ReturnType<typeof startRecordingService>>
let account: TestAccount
beforeAll(async () => {
  service = await startRecordingService(({ path }) => ({ status: path === '/feed.json' ? 200 : 404, body: feed }))
  server = await createTestServer()
  account = await server.registerAccount()
})
afterAll(async () => {
  await server.close()
  await service[Symbol.asyncDispose]()
})

test('functions without a connection are called in a workflow, one on the output of another', async () => {
  const text = 'id,total\n1,9.50\n2,20\n'
  const { state, output } = await runTasks(account, [
    { read: { call: 'csv.parse', with: { text } } },
    { file: { call: 'spreadsheet.write', with: { sheets: [{ name: 'Orders', rows: '${ .rows }' }] } } },
    { again: { call: 'spreadsheet.read', with: { contentBase64: '${ .contentBase64 }' } } },
    { write: { call: 'xml.write', with: { document: '${ { orders: { order: .rows } } }' } } },
  ])
  expect([state, output?.text]).toEqual([
    'completed',
    expect.stringContaining('<order><id>1</id><total>9.50</total></order><order><id>2</id><total>20</total></order>'),
  ])
})

describe('an error of a function', () => {
  test.each<[string, object, string]>([
    ['csv.parse', { text: 'a,a\n' }, 'stands twice'],
    ['pdf.text', { contentBase64: 'aGVsbG8=' }, 'not a PDF'],
    ['xml.parse', { text: '<a>' }, 'Line 1'],
  ])('of %s can be caught by its type', async (call, given, words) => {
    const errors = { with: { type: 'https://open-workflow-specification.org/spec/1.0.0/errors/validation' } }
    const caught = { errors, as: 'error', do: [{ keep: { set: { detail: '${ $error.detail }' } } }] }
    const { output } = await runTasks(account, [{ it: { try: [{ read: { call, with: given } }], catch: caught } }])
    expect(output).toEqual({ detail: expect.stringContaining(words) })
  })
})

describe('rss.read', () => {
  const read = (url: string) => runTasks(account, [{ it: { call: 'rss.read', with: { url, itemsMax: 1 } } }])

  test('reads a feed', async () => {
    expect((await read(`${service.url}/feed.json`)).output).toMatchObject({ title: 'News', items: [{ id: 'a', title: 'One' }] })
  })

  test('fails with the status of the server, and reaches no private address', async () => {
    expect((await read(`${service.url}/gone`)).error).toMatchObject({ status: 404 })
    expect((await read('http://169.254.169.254/feed')).error).toMatchObject({ status: 403 })
  })
})
