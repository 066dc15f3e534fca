import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentOf } from '#testing/definitions.ts'
import { longestStretchMs } from '#testing/longest-stretch.ts'
import { startRecordingService } from '#testing/recording-service.ts'
import { runTasks } from '#testing/run-tasks.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const token = ['token', 'of the service', '4711'].join(' ')
const replies: Record<string, object> = {
  '/api/chat.postMessage': { ok: true, ts: '1.2' },
  '/api/chat.update': { ok: false, error: 'message_not_found' },
}

let server: TestServer
let service: Awaited<ReturnType<typeof startRecordingService>>
let account: TestAccount
beforeAll(async () => {
  service = await startRecordingService(({ path, headers }) => ({
    body: replies[path] ?? { id: 7, name: 'Rex', echo: headers.authorization ?? null },
  }))
  server = await createTestServer()
  account = await server.registerAccount()
  await connect('pets', { kind: 'bearer', url: `${service.url}/v3` }, { token })
})
afterAll(async () => {
  await server.close()
  await service[Symbol.asyncDispose]()
})

async function connect(name: string, settings: object, secrets: object, owner = account) {
  const made = await owner.send('POST', '/api/v1/connections', { name, settings, secrets })
  expect([made.status, made.body.errors]).toEqual([200, undefined])
}

const last = () => service.requests.at(-1)

const exampleOf = (name: string) => readFile(createRequire(import.meta.url).resolve(`@readme/oas-examples/${name}`), 'utf8')
const petstore = async (): Promise<object> => JSON.parse(await exampleOf('3.0/json/petstore.json'))

test('a request over HTTP has the credentials of its connection, below its address alone', async () => {
  const request = (given: object) => runTasks(account, [{ it: { call: 'http.request', with: { connection: 'pets', ...given } } }])
  const { output } = await request({ path: '/pets/{7}?all=1', query: { page: '2' }, headers: { 'x-trace': 'one' } })
  expect(output).toMatchObject({ name: 'Rex', echo: 'Bearer ***' })
  expect(last()).toMatchObject({
    method: 'GET',
    path: expect.stringMatching(/^\/v3\/pets\/%7B7%7D/),
    headers: { authorization: `Bearer ${token}`, 'x-trace': 'one' },
  })
  await request({ method: 'post', path: 'orders', body: { total: 7 } })
  expect(last()).toMatchObject({ method: 'POST', path: '/v3/orders', body: '{"total":7}' })
  const sent = service.requests.length
  const detailOf = async (given: object) => {
    const { state, error } = await request(given)
    return `${state}: ${error.detail}`
  }
  expect(await detailOf({ path: '/../v4/pets' })).toContain('would lead to another resource')
  expect(await detailOf({ path: '/..%2Fv4/pets' })).toContain(`for ${service.url}/v3 alone`)
  expect(await detailOf({ path: 'https://elsewhere.example/' })).toContain('it is not an address')
  expect(await detailOf({ connection: 'gone' })).toContain('gone')
  expect(service.requests.length).toBe(sent)
})

test('the list names the connectors of the installation, page by page, and no function that only made definitions call', async () => {
  const listed: { readonly name: string; readonly kind: string }[] = []
  for (let path = '/api/v1/connectors?limit=4'; path !== ''; ) {
    const { body } = await account.send('GET', path)
    listed.push(...body.data)
    path = body.nextCursor === null ? '' : `/api/v1/connectors?limit=4&cursor=${body.nextCursor}`
  }
  const names = listed.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
  expect(names).toEqual(expect.arrayContaining(['email', 'csv', 'postgres', 's3', 'slack']))
  expect(names).not.toContain('agent-turn')
  expect((await account.send('GET', '/api/v1/connectors/slack')).body).toMatchObject({ kind: 'manifest', hosts: ['slack.com'] })
  const { body: found } = await account.send('GET', '/api/v1/connectors?q=workbook')
  expect(found.data).not.toEqual([])
  expect((await account.send('GET', '/api/v1/functions?q=agent-')).body.data).toEqual([])
})

describe('an OpenAPI document of the account', () => {
  beforeAll(async () => {
    const made = await account.send('POST', '/api/v1/connectors', { name: 'petstore', kind: 'openapi', document: await petstore() })
    if (made.body.origin?.kind !== 'account') throw new Error(JSON.stringify(made.body))
  })

  test('is called by name, with the credentials of the connection, which are masked in what comes back', async () => {
    const end = await runTasks(account, [{ pet: { call: 'petstore.getPetById', with: { connection: 'pets', petId: '${ .id }' } } }], {
      id: 7,
    })
    expect(end).toMatchObject({ state: 'completed', output: { name: 'Rex', echo: 'Bearer ***' } })
    expect(last()).toMatchObject({ method: 'GET', path: '/v3/pet/7', headers: { authorization: `Bearer ${token}` } })
    expect(String(last()?.headers['idempotency-key'])).toMatch(/^exec_/)
  })

  test('of half a million characters in YAML is read in another thread, and its 120 operations are functions', async () => {
    const document = await exampleOf('3.0/yaml/star-trek.yaml')
    expect(document.length).toBeGreaterThan(300_000)
    // Without the thread a stretch of more than a second.
    const stretchMs = await longestStretchMs(async () => {
      const { status, body } = await account.send('POST', '/api/v1/connectors', { name: 'star-trek', kind: 'openapi', document })
      expect([status, body.summary]).toEqual([200, expect.stringContaining('120 functions')])
    })
    expect(stretchMs).toBeLessThan(300)
    const found = await runTasks(account, [{ find: { call: 'star-trek.get-animal', with: { connection: 'pets', uid: 'A 1' } } }])
    expect(found).toMatchObject({ state: 'completed', output: { name: 'Rex' } })
    expect(last()).toMatchObject({ method: 'GET', path: '/v3/animal?uid=A%201' })
  })

  test('sends the properties of a body', async () => {
    const pet = { connection: 'pets', name: 'Rex', photoUrls: ['https://example.com/rex.png'], status: 'sold' }
    expect(await runTasks(account, [{ add: { call: 'petstore.addPet', with: pet } }])).toMatchObject({ state: 'completed' })
    const { connection: _, ...body } = pet
    expect([last()?.method, last()?.path, JSON.parse(last()?.body ?? '')]).toEqual(['POST', '/v3/pet', body])
  })

  test.each<[string, object, string]>([
    ['an unknown function', { call: 'petstore.getUnicorn', with: {} }, 'unknown_function'],
    ['an unknown connector', { call: 'nothing.getUnicorn', with: {} }, 'unknown_function'],
    ['a missing argument', { call: 'petstore.getPetById', with: { connection: 'pets' } }, 'invalid_argument'],
    ['an argument of another type', { call: 'petstore.getPetById', with: { connection: 'pets', petId: 'x' } }, 'invalid_argument'],
    ['an unknown argument', { call: 'petstore.getPetById', with: { connection: 'pets', petId: 1, colour: 'red' } }, 'invalid_argument'],
    [
      'a value that the document does not list',
      { call: 'petstore.addPet', with: { connection: 'pets', name: 'a', photoUrls: [], status: 'lost' } },
      'invalid_argument',
    ],
  ])('%s is reported when the workflow is saved', async (_what, task, code) => {
    const definition = { document: { dsl: '1.0.3', namespace: 'tests', name: 'invalid', version: '1.0.0' }, do: [{ pet: task }] }
    const { status, body } = await account.send('POST', '/api/v1/workflows', { definition, publish: true })
    expect([status, JSON.stringify(body).includes(code)], JSON.stringify(body).slice(0, 600)).toEqual([422, true])
  })

  test('a published version keeps how it was checked, and says so when its function is gone', async () => {
    const document = {
      openapi: '3.0.0',
      info: { title: 'A', version: '2' },
      servers: [{ url: service.url }],
      paths: { '/a': { get: { operationId: 'read', responses: {} } } },
    }
    const { body: own } = await account.send('POST', '/api/v1/connectors', { name: 'changing', kind: 'openapi', document })
    const definition = {
      document: { dsl: '1.0.3', namespace: 'tests', name: 'kept', version: '1.0.0' },
      do: [{ a: { call: 'changing.read' } }],
    }
    const { body: workflow } = await account.send('POST', '/api/v1/workflows', { definition, publish: true })
    const run = async () => (await account.send('POST', `/api/v1/workflows/${workflow.id}/execute`, {}, { prefer: 'wait=30' })).body
    expect((await run()).state).toBe('completed')
    const renamed = { ...document, paths: { '/b': { get: { operationId: 'readOther', responses: {} } } } }
    expect((await account.send('PUT', `/api/v1/connectors/${own.id}`, { document: renamed })).status).toBe(200)
    expect(await run()).toMatchObject({ state: 'faulted', error: { detail: expect.stringContaining('"read"') } })
    expect((await account.send('DELETE', `/api/v1/connectors/${own.id}`)).body).toEqual({ id: own.id, deleted: true })
    expect(await run()).toMatchObject({ state: 'faulted', error: { detail: expect.stringContaining('"changing"') } })
  })

  test('is of its account alone, and so are its functions and connections', async () => {
    const other = await server.registerAccount()
    expect((await other.send('GET', '/api/v1/functions/petstore.getPetById')).status).toBe(404)
    expect((await other.send('GET', '/api/v1/connectors?limit=100')).body.data).not.toContainEqual(
      expect.objectContaining({ name: 'petstore' }),
    )
    const end = await runTasks(other, [{ post: { call: 'slack.postMessage', with: { connection: 'pets', channel: 'a', text: 'b' } } }])
    expect(end).toMatchObject({ state: 'faulted', error: { detail: expect.stringContaining('no connection') } })
  })

  test('is described for editors', async () => {
    const { body } = await account.send('GET', '/api/v1/functions/petstore.getPetById')
    expect(body).toMatchObject({
      name: 'petstore.getPetById',
      connector: 'petstore',
      origin: 'account',
      input: { required: expect.arrayContaining(['petId']), properties: { petId: { type: 'integer' }, connection: { type: 'string' } } },
    })
    const names = async (query: string) =>
      (await account.send('GET', `/api/v1/functions?limit=100&${query}`)).body.data.map(({ name }: { name: string }) => name)
    expect(await names('connector=petstore')).toHaveLength(20)
    expect(await names('q=post+slack')).toEqual(['slack.postMessage'])
    expect(await names('q=approval')).toContain('approve')
  })
})

test('the credentials of a connection go to no other place, whatever a definition says', async () => {
  const elsewhere = {
    openapi: '3.0.0',
    info: { title: 'E', version: '1' },
    servers: [{ url: 'http://127.0.0.1:9' }],
    paths: { '/x': { get: { operationId: 'x', servers: [{ url: 'http://127.0.0.1:9/evil' }], responses: {} } } },
  }
  await account.send('POST', '/api/v1/connectors', { name: 'elsewhere', kind: 'openapi', document: elsewhere })
  await runTasks(account, [{ x: { call: 'elsewhere.x', with: { connection: 'pets' } } }])
  expect(last()).toMatchObject({ path: '/v3/x', headers: { authorization: `Bearer ${token}` } })
})

test.each<[string, object, string]>([
  ['no document', {}, '/document'],
  ['a document of another form', { document: '[1]' }, '/document'],
  ['Swagger 2', { document: { swagger: '2.0', info: {}, paths: {} } }, '/document'],
  [
    'a reference to a file',
    { document: { openapi: '3.0.0', info: {}, paths: { '/a': { get: { responses: { 200: { $ref: 'file:///etc/hostname' } } } } } } },
    '/document',
  ],
  ['no operation', { document: { openapi: '3.0.0', info: {}, paths: {} } }, '/document'],
  ['a name of the installation', { name: 'slack', document: { openapi: '3.0.0', paths: {} } }, '/name'],
  ['an address that workflows may not reach', { url: 'http://169.254.169.254/openapi.json' }, '/url'],
  ['depth without end', { document: `${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}` }, '/document'],
])('%s is no connector', async (_what, more, pointer) => {
  const { status, body } = await account.send('POST', '/api/v1/connectors', { name: 'broken', kind: 'openapi', ...more })
  expect([status, body.code, body.errors?.[0]?.pointer]).toEqual([422, 'connector_invalid', pointer])
})

describe('connectors of the installation', () => {
  beforeAll(async () => {
    await connect('slack', { kind: 'bearer', url: `${service.url}/api` }, { token })
    await connect('bot', { kind: 'api-key', url: service.url, in: 'path', keyName: 'bot' }, { key: '4711:secret-of-the-bot' })
    await connect('plain', { kind: 'bearer', url: service.url }, { token })
  })

  test('whose function does not exist suggests the close one', async () => {
    const definition = documentOf('do:\n  - say: { call: slack.post_message, with: { connection: slack, channel: a, text: Hi } }\n')
    const { status, body } = await account.send('POST', '/api/v1/workflows', { definition })
    expect([status, body.diagnostics?.[0]?.code, body.diagnostics?.[0]?.hint]).toEqual([
      422,
      'unknown_function',
      'Did you mean "slack.postMessage"?',
    ])
  })

  test.each<[string, string, object, object]>([
    [
      'slack.postMessage',
      'slack',
      { channel: '#a', text: 'Hello' },
      { method: 'POST', path: '/api/chat.postMessage', json: { channel: '#a', text: 'Hello' } },
    ],
    [
      'telegram.sendMessage',
      'bot',
      { chat_id: 5, text: 'Hi' },
      { method: 'POST', path: '/bot4711:secret-of-the-bot/sendMessage', json: { chat_id: 5, text: 'Hi' } },
    ],
    [
      'github.createIssue',
      'plain',
      { owner: 'o', repo: 'r', title: 'T', labels: ['bug'] },
      { method: 'POST', path: '/repos/o/r/issues', json: { title: 'T', labels: ['bug'] } },
    ],
    ['github.listIssues', 'plain', { owner: 'o', repo: 'r', state: 'open' }, { method: 'GET', path: '/repos/o/r/issues?state=open' }],
    [
      'stripe.createPaymentIntent',
      'plain',
      { amount: 1200, currency: 'eur' },
      { method: 'POST', path: '/v1/payment_intents', form: 'amount=1200&currency=eur' },
    ],
    [
      'google-sheets.appendValues',
      'plain',
      { spreadsheetId: 's', range: 'A1:B', valueInputOption: 'RAW', values: [[1, 'a']] },
      { method: 'POST', path: '/v4/spreadsheets/s/values/A1%3AB:append?valueInputOption=RAW', json: { values: [[1, 'a']] } },
    ],
  ])('%s sends the request that the service documents', async (call, connection, given, expected) => {
    const end = await runTasks(account, [{ it: { call, with: { connection, ...given } } }])
    expect(end.error).toBeUndefined()
    const { json, form, ...rest } = Object(expected)
    expect(last()).toMatchObject(rest)
    if (json !== undefined) expect(JSON.parse(last()?.body ?? '')).toEqual(json)
    if (form !== undefined) expect([last()?.body, last()?.headers['content-type']]).toEqual([form, 'application/x-www-form-urlencoded'])
  })

  test('a refusal that a service sends with 200 is an error of the task', async () => {
    const end = await runTasks(account, [
      { it: { call: 'slack.updateMessage', with: { connection: 'slack', channel: 'c', ts: '1', text: 'x' } } },
    ])
    expect(end).toMatchObject({ state: 'faulted', error: { detail: 'Slack refused: message_not_found.' } })
  })
})

test('an approved connector is called by its name in every account', async () => {
  const operator = await server.registerAccount()
  await sql`update users set is_operator = true where id = ${operator.userId}`.execute(server.database.system)
  const operation = {
    name: 'track',
    summary: 'Where a parcel is.',
    method: 'get',
    path: '/parcels/{number}',
    parameters: { number: { in: 'path', schema: { type: 'string' } } },
  }
  const document = {
    connector: '1.0',
    title: 'Parcels',
    servers: ['https://api.parcels.example'],
    authentication: { kind: 'bearer' },
    operations: [operation],
  }
  const proposal = { name: 'parcels', kind: 'manifest', summary: 'Follows parcels everywhere.', licence: 'MIT', document }
  const { body } = await account.send('POST', '/api/v1/connector-submissions', proposal)
  const functions = async () => (await account.send('GET', '/api/v1/functions?connector=parcels')).body.data
  expect(await functions()).toEqual([])
  await operator.send('PATCH', `/api/v1/connector-submissions/${body.id}`, { state: 'approved' })
  expect(await functions()).toMatchObject([{ name: 'parcels.track', origin: 'submission' }])
  const other = await server.registerAccount()
  await connect('parcels', { kind: 'bearer', url: service.url }, { token }, other)
  expect((await runTasks(other, [{ it: { call: 'parcels.track', with: { connection: 'parcels', number: 'a/b' } } }])).state).toBe(
    'completed',
  )
  expect(last()).toMatchObject({ path: '/parcels/a%2Fb', headers: { authorization: `Bearer ${token}` } })
})
