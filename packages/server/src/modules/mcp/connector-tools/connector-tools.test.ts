import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startRecordingService } from '#testing/recording-service.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const token = ['token', 'of the shop'].join(' ')
let server: TestServer
let service: Awaited<ReturnType<typeof startRecordingService>>
let account: TestAccount
beforeAll(async () => {
  service = await startRecordingService(({ path }) => ({ body: { at: path, echo: token } }))
  server = await createTestServer()
})
afterAll(async () => {
  await server.close()
  await service[Symbol.asyncDispose]()
})
beforeEach(async () => {
  account = await server.registerAccount()
  const parameters = { id: { in: 'path', schema: { type: 'integer' } }, note: { in: 'query', schema: { type: 'string' } } }
  const document = {
    connector: '1.0',
    title: 'The shop',
    servers: ['https://api.example.com'],
    operations: [
      { name: 'readOrder', summary: 'Reads an order', method: 'get', path: '/orders/{id}', parameters },
      { name: 'cancelOrder', summary: 'Cancels an order', method: 'delete', path: '/orders/{id}', parameters },
    ],
  }
  const made = await account.send('POST', '/api/v1/connectors', { name: 'shop', kind: 'manifest', document })
  if (made.status !== 200) throw new Error(JSON.stringify(made.body))
  for (const [name, path] of [
    ['east', 'east'],
    ['west', 'west'],
  ])
    await account.send('POST', '/api/v1/connections', {
      name,
      settings: { kind: 'bearer', url: `${service.url}/${path}` },
      secrets: { token },
    })
})

const offer = (name: string, body: object, owner = account) => owner.send('PUT', `/api/v1/mcp/tools/${name}`, body)

/** The client of others, with an API key of the account. */
async function connect(owner = account) {
  const { body } = await owner.send('POST', '/api/v1/api-keys', { name: 'A client', scopes: ['executions:run', 'executions:read'] })
  const headers = { authorization: `Bearer ${body.secret}` }
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit: { headers } }))
  return { client, [Symbol.asyncDispose]: () => client.close() }
}

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name)

test('no function of a connector is a tool until the owner offers it, and none after it is withdrawn', async () => {
  await using connected = await connect()
  expect(await namesOf(connected.client)).toEqual(['millrace_execution'])
  const refused = await connected.client.callTool({ name: 'shop_readOrder', arguments: { id: 7 } })
  expect(refused).toMatchObject({ isError: true })
  expect((await offer('shop.readOrder', { permission: 'allow', connection: 'east' })).body).toMatchObject({
    name: 'shop.readOrder',
    summary: 'Reads an order',
    connection: 'east',
    permission: 'allow',
  })
  expect(await namesOf(connected.client)).toEqual(['shop_readOrder', 'millrace_execution'])
  expect((await account.send('GET', '/api/v1/mcp/tools')).body.data).toMatchObject([{ name: 'shop.readOrder' }])
  expect((await account.send('GET', '/api/v1/workflows')).body.data).toEqual([])
  await account.send('DELETE', '/api/v1/mcp/tools/shop.readOrder')
  expect(await namesOf(connected.client)).toEqual(['millrace_execution'])
  const { data } = (await account.send('GET', '/api/v1/audit/query')).body
  expect(data.map(({ event }: { readonly event: string }) => event)).toEqual(
    expect.arrayContaining(['mcp.tool_offered', 'mcp.tool_withdrawn']),
  )
})

test('a permitted call is an execution with the connection of the offer, whose secret the client does not see', async () => {
  await offer('shop.readOrder', { permission: 'allow', connection: 'east' })
  await using connected = await connect()
  const { tools } = await connected.client.listTools()
  expect(tools[0]?.inputSchema).toEqual({
    type: 'object',
    additionalProperties: false,
    required: ['id'],
    properties: { id: { type: 'integer' }, note: { type: 'string' } },
  })
  expect(tools[0]?.annotations).toMatchObject({ openWorldHint: true, destructiveHint: true })
  const called = await connected.client.callTool({ name: 'shop_readOrder', arguments: { id: 7, note: 'a b' } })
  expect(called).toMatchObject({ structuredContent: { state: 'completed', output: { at: '/east/orders/7?note=a%20b', echo: '***' } } })
  expect(service.requests.at(-1)).toMatchObject({ method: 'GET', headers: { authorization: `Bearer ${token}` } })
  const count = service.requests.length
  for (const wrong of [{ id: 'seven' }, {}, { id: 7, connection: 'west' }, { id: 7, function: 'shop.cancelOrder' }])
    expect(await connected.client.callTool({ name: 'shop_readOrder', arguments: wrong })).toMatchObject({ isError: true })
  expect(service.requests).toHaveLength(count)
  const { data } = (await account.send('GET', '/api/v1/audit/query?event=mcp.tool_called')).body
  expect(data).toMatchObject([{ target: Object(called.structuredContent).executionId, details: { connector: 'shop.readOrder' } }])
})

test('a call that asks is made when its user confirms exactly it, and not after the owner has changed the offer', async () => {
  await offer('shop.cancelOrder', { permission: 'ask', connection: 'east' })
  await using connected = await connect()
  const count = service.requests.length
  const ask = async () => Object((await connected.client.callTool({ name: 'shop_cancelOrder', arguments: { id: 9 } })).structuredContent)
  const [first, second] = [await ask(), await ask()]
  expect([first.state, service.requests.length]).toEqual(['awaiting_approval', count])
  const { data } = (await account.send('GET', '/api/v1/assistant/proposals')).body
  expect(data[0]).toMatchObject({ summary: 'Call shop.cancelOrder.', action: { input: { id: 9 } } })
  const confirm = ({ proposalId, digest }: { readonly proposalId: string; readonly digest: string }) =>
    account.send('POST', '/api/v1/assistant/agent/confirm', { proposalId, digest })
  expect((await confirm(first)).body).toMatchObject({ state: 'done' })
  await expect.poll(() => service.requests.length).toBe(count + 1)
  expect(service.requests.at(-1)).toMatchObject({ method: 'DELETE', path: '/east/orders/9' })
  await offer('shop.cancelOrder', { permission: 'ask', connection: 'west' })
  expect((await confirm(second)).status).toBe(404)
  expect(service.requests).toHaveLength(count + 1)
})

test('only the owner offers, what the account has', async () => {
  expect((await offer('shop.nothing', { permission: 'allow' })).status).toBe(404)
  expect((await offer('other.readOrder', { permission: 'allow' })).status).toBe(404)
  expect((await offer('shop.readOrder', { permission: 'allow', connection: 'north' })).body.errors).toMatchObject([
    { pointer: '/connection' },
  ])
  expect((await offer('shop.readOrder', { permission: 'deny' })).body.errors).toMatchObject([{ pointer: '/permission' }])
  // The connector says no address of its own for this account.
  expect((await offer('github.createIssue', { permission: 'allow' })).body.errors).toMatchObject([{ pointer: '/connection' }])
  const { body } = await account.send('POST', '/api/v1/api-keys', { name: 'k', scopes: ['connectors:read'] })
  const headers = { authorization: `Bearer ${body.secret}`, 'content-type': 'application/json' }
  const byKey = await fetch(`${server.url}/api/v1/mcp/tools/shop.readOrder`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ permission: 'allow', connection: 'east' }),
  })
  expect(byKey.status).toBe(403)
  const other = await server.registerAccount()
  await using connected = await connect(other)
  await offer('shop.readOrder', { permission: 'allow', connection: 'east' })
  expect(await namesOf(connected.client)).toEqual(['millrace_execution'])
  expect((await other.send('DELETE', '/api/v1/mcp/tools/shop.readOrder')).status).toBe(404)
  expect((await account.send('GET', '/api/v1/mcp/tools')).body.data).toHaveLength(1)
})
