import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEverythingServer } from '#testing/everything-server.ts'
import { type RecordedRequest, type ServiceAnswer, startRecordingService } from '#testing/recording-service.ts'
import { runTasks } from '#testing/run-tasks.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const token = ['token of', 'the MCP server'].join(' ')
const tools = [
  {
    name: 'orders/find',
    description: 'Finds orders.',
    inputSchema: {
      type: 'object',
      required: ['text'],
      properties: { text: { type: 'string' } },
    },
  },
  { name: 'fail', inputSchema: { type: 'object' } },
]

/** An MCP server over Streamable HTTP that asks for a token. */
function answer({ method, body, headers }: RecordedRequest): ServiceAnswer {
  if (headers.authorization !== `Bearer ${token}`) return { status: 401 }
  if (method !== 'POST') return { status: 405 }
  const { id, method: asked, params } = JSON.parse(body)
  if (id === undefined) return { status: 202, body: '' }
  const result = (value: object): ServiceAnswer => ({ body: { jsonrpc: '2.0', id, result: value } })
  switch (asked) {
    case 'initialize':
      return result({
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'orders', version: '1.0.0' },
      })
    case 'tools/list':
      return result(params?.cursor === 'two' ? { tools: tools.slice(1) } : { tools: tools.slice(0, 1), nextCursor: 'two' })
    case 'tools/call':
      return result(
        params.name === 'fail'
          ? { isError: true, content: [{ type: 'text', text: `It broke with ${token}.` }] }
          : { content: [], structuredContent: { found: params.arguments.text } },
      )
    default:
      return result({})
  }
}

let server: TestServer
let service: Awaited<ReturnType<typeof startRecordingService>>
let account: TestAccount
beforeAll(async () => {
  service = await startRecordingService(answer)
  server = await createTestServer()
  account = await server.registerAccount()
  const settings = { kind: 'bearer', url: `${service.url}/mcp` }
  await account.send('POST', '/api/v1/connections', { name: 'orders', settings, secrets: { token } })
})
afterAll(async () => {
  await server.close()
  await service[Symbol.asyncDispose]()
})

test('the tools of an MCP server become functions, which are checked, called and fail like others', async () => {
  const source = { kind: 'mcp', url: `${service.url}/mcp` }
  const refused = await account.send('POST', '/api/v1/connectors', { name: 'closed', ...source })
  expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/url' }] } })
  const made = await account.send('POST', '/api/v1/connectors', { name: 'orders', connection: 'orders', ...source })
  expect(made).toMatchObject({ status: 200, body: { kind: 'mcp' } })
  const { body: listed } = await account.send('GET', '/api/v1/functions?connector=orders')
  expect(listed.data.map(({ name }: { name: string }) => name)).toEqual(['orders.fail', 'orders.orders-find'])

  const find = { call: 'orders.orders-find', with: { connection: 'orders', text: 'late' } }
  expect(await runTasks(account, [{ find }])).toMatchObject({
    state: 'completed',
    output: { structuredContent: { found: 'late' } },
  })
  expect(await runTasks(account, [{ fail: { call: 'orders.fail', with: { connection: 'orders' } } }])).toMatchObject({
    state: 'faulted',
    error: { detail: expect.stringContaining('It broke with ***') },
  })
  const definition = {
    document: { dsl: '1.0.3', namespace: 'tests', name: 'wrong', version: '1.0.0' },
    do: [{ find: { ...find, with: { connection: 'orders', text: 7 } } }],
  }
  const { status, body } = await account.send('POST', '/api/v1/workflows', { definition, publish: true })
  expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('invalid_argument')])
})

test('the reference server of MCP is a connector without a connection', async () => {
  await using everything = await startEverythingServer()
  const made = await account.send('POST', '/api/v1/connectors', { name: 'everything', kind: 'mcp', url: everything.url })
  expect([made.status, made.body.kind]).toEqual([200, 'mcp'])
  const sum = { call: 'everything.get-sum', with: { a: 2, b: 40 } }
  expect(await runTasks(account, [{ sum }])).toMatchObject({
    state: 'completed',
    output: { content: [{ type: 'text', text: 'The sum of 2 and 40 is 42.' }] },
  })
  const weather = { call: 'everything.get-structured-content', with: { location: 'Chicago' } }
  expect((await runTasks(account, [{ weather }])).output.structuredContent).toMatchObject({ temperature: expect.any(Number) })
  expect(await runTasks(account, [{ sum: { ...sum, with: { a: '${ .a }', b: 1 } } }], { a: 'x' })).toMatchObject({ state: 'faulted' })
})

test('a connector that is read from another address calls that, and is read from there again', async () => {
  await using first = await startRecordingService(answer)
  const at = (url: string) => ({ url: `${url}/mcp`, connection: 'moved' })
  const settings = (url: string) => ({ kind: 'bearer', url: `${url}/mcp` })
  const connection = await account.send('POST', '/api/v1/connections', { name: 'moved', settings: settings(first.url), secrets: { token } })
  const made = await account.send('POST', '/api/v1/connectors', { name: 'moved', kind: 'mcp', ...at(first.url) })
  expect(made.status).toBe(200)
  const moved = await account.send('PUT', `/api/v1/connections/${connection.body.id}`, {
    settings: settings(service.url),
    secrets: { token },
  })
  expect(moved.status).toBe(200)
  const path = `/api/v1/connectors/${made.body.id}`
  expect((await account.send('PUT', path, at(service.url))).status).toBe(200)
  const [former, present] = [first.requests.length, service.requests.length]
  expect((await account.send('PUT', path, { connection: 'moved' })).status).toBe(200)
  expect(first.requests).toHaveLength(former)
  expect(service.requests.length).toBeGreaterThan(present)
})

test('a connector whose document was read from an address and is then given has no address any more', async () => {
  const document = (title: string) => ({
    openapi: '3.0.0',
    info: { title, version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    paths: { '/a': { get: { operationId: 'read', responses: {} } } },
  })
  await using host = await startRecordingService(() => ({ body: document('read') }))
  const made = await account.send('POST', '/api/v1/connectors', { name: 'given', kind: 'openapi', url: host.url })
  expect(made.body).toMatchObject({ title: 'read' })
  const path = `/api/v1/connectors/${made.body.id}`
  expect((await account.send('PUT', path, {})).status).toBe(200)
  expect((await account.send('PUT', path, { document: document('given') })).body).toMatchObject({ title: 'given' })
  expect(await account.send('PUT', path, {})).toMatchObject({ body: { errors: [{ pointer: '/document' }] } })
  expect((await account.send('GET', path)).body).toMatchObject({ title: 'given' })
})
