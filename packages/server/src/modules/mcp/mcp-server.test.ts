import { once } from 'node:events'
import { request } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { counts, documentOf, fails } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { startWebhookReceiver } from '#testing/webhook-receiver.ts'

let server: TestServer
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>
beforeAll(async () => {
  receiver = await startWebhookReceiver()
  server = await createTestServer()
})
afterAll(async () => {
  await server.close()
  await receiver[Symbol.asyncDispose]()
})

/** The client of others, with an API key of the account. */
async function connect(account: TestAccount, scopes = ['executions:run', 'executions:read'], { url }: { readonly url: string } = server) {
  const { body } = await account.send('POST', '/api/v1/api-keys', { name: 'An MCP client', scopes })
  const headers = { authorization: `Bearer ${body.secret ?? body.key}` }
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } })
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport)
  return { client, headers, [Symbol.asyncDispose]: () => client.close() }
}

const publish = (account: TestAccount, body: string, name: string) =>
  account.client.workflows.create({ body: { definition: documentOf(body, name), publish: true } })

test('published workflows are tools with their schemas, and a call runs one and returns its result', async () => {
  const account = await server.registerAccount()
  await publish(account, counts, 'count-up')
  await account.client.workflows.create({ body: { definition: documentOf(counts, 'a-draft'), publish: false } })
  await using connected = await connect(account)
  const { tools } = await connected.client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['count-up', 'millrace_execution'])
  expect(tools[0]?.inputSchema).toMatchObject({ required: ['count'], properties: { count: { type: 'integer' } } })
  const called = await connected.client.callTool({ name: 'count-up', arguments: { count: 4 } })
  expect(called).toMatchObject({
    content: [{ type: 'text', text: '{"count":5}' }],
    structuredContent: { state: 'completed', output: { count: 5 } },
  })
  const wrong = await connected.client.callTool({ name: 'count-up', arguments: { count: 'four' } })
  expect(wrong).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('/input/count') }] })
  expect(await connected.client.callTool({ name: 'a-draft', arguments: {} })).toMatchObject({ isError: true })
  const { data } = (await account.send('GET', '/api/v1/audit/query?event=mcp.tool_called')).body
  expect(data).toMatchObject([{ actor: expect.stringMatching(/^key:key_/), details: { tool: 'count-up' } }])
})

test('a workflow that acts outside runs only after a person has confirmed it, and its result can be read', async () => {
  const account = await server.registerAccount()
  await publish(
    account,
    `do:\n  - notify: { call: http, with: { method: post, endpoint: '${receiver.url}', body: '\${ . }' } }\n`,
    'notify-shop',
  )
  await using connected = await connect(account)
  const called = await connected.client.callTool({ name: 'notify-shop', arguments: { order: 7 } })
  expect(called).toMatchObject({ structuredContent: { state: 'awaiting_approval' } })
  expect(receiver.received).toHaveLength(0)
  const { proposalId, digest } = Object(called.structuredContent)
  const confirmed = await account.send('POST', '/api/v1/assistant/agent/confirm', { proposalId, digest })
  expect(confirmed.body).toMatchObject({ state: 'done' })
  await expect.poll(() => receiver.received.map(({ body }) => body)).toEqual(['{"order":7}'])
  const status = () =>
    connected.client.callTool({ name: 'millrace_execution', arguments: { executionId: confirmed.body.result.executionId } })
  await expect.poll(async () => Object((await status()).structuredContent).state).toBe('completed')
})

test('a caller without a credential, without the scope, or of another account reaches nothing', async () => {
  const [account, other] = [await server.registerAccount(), await server.registerAccount()]
  await publish(account, counts, 'count-up')
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const anonymous = await fetch(`${server.url}/mcp`, { method: 'POST', body: JSON.stringify(message) })
  expect([anonymous.status, anonymous.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('Bearer')])
  await expect(connect(account, ['workflows:read'])).rejects.toThrow(/insufficient.scope|403/i)
  await using connected = await connect(other)
  expect((await connected.client.listTools()).tools.map(({ name }) => name)).toEqual(['millrace_execution'])
})

test('a page of another origin is refused before its credential is looked at, also when its name leads here', async () => {
  const { port } = new URL(server.url)
  const ping = (headers: Record<string, string>, at = port) => statusOf(Number(at), headers)
  expect(await ping({ origin: `http://evil.example:${port}`, host: `evil.example:${port}` })).toBe(403)
  expect(await ping({ host: `evil.example:${port}`, 'sec-fetch-site': 'same-origin' })).toBe(403)
  expect(await ping({ origin: server.url, 'sec-fetch-site': 'cross-site' })).toBe(403)
  expect(await ping({ origin: 'null' })).toBe(403)
  expect(await ping({ origin: server.url })).toBe(401)
  expect(await ping({})).toBe(401)
  const known = await server.startSecond({ MILLRACE_PUBLIC_URL: 'https://flows.example.com' })
  const second = new URL(known.url).port
  expect(await ping({ origin: 'https://flows.example.com', host: 'flows.example.com' }, second)).toBe(401)
  expect(await ping({ origin: known.url }, second)).toBe(403)
  await known.close()
})

/** The status of a message without a credential. */
async function statusOf(port: number, headers: Record<string, string>): Promise<number | undefined> {
  const sent = request({ host: '127.0.0.1', port, path: '/mcp', method: 'POST', headers })
  sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }))
  const [response] = await once(sent, 'response')
  response.resume()
  return response.statusCode
}

test('definitions and executions are resources as far as the scopes of the key permit, and of no other account', async () => {
  const [account, other] = [await server.registerAccount(), await server.registerAccount()]
  await publish(account, counts, 'count-up')
  const { id: hidden } = await publish(other, counts, 'hidden')
  await using connected = await connect(account, ['executions:run', 'executions:read', 'workflows:read'])
  const { resources } = await connected.client.listResources()
  expect(resources).toMatchObject([{ name: 'count-up', mimeType: 'application/yaml' }])
  const read = (uri: string) => connected.client.readResource({ uri })
  expect((await read(resources[0]?.uri ?? '')).contents).toMatchObject([{ text: expect.stringContaining('name: count-up') }])
  const { executionId } = Object((await connected.client.callTool({ name: 'count-up', arguments: { count: 4 } })).structuredContent)
  expect((await connected.client.listResourceTemplates()).resourceTemplates).toHaveLength(1)
  expect((await read(`millrace://executions/${executionId}`)).contents).toMatchObject([{ text: expect.stringContaining('"completed"') }])
  for (const uri of [`millrace://workflows/${hidden}`, 'millrace://workflows/none', 'file:///etc/passwd'])
    await expect(read(uri)).rejects.toThrow(/not found/i)
  await using narrow = await connect(account, ['executions:run'])
  expect((await narrow.client.listResources()).resources).toEqual([])
  await expect(narrow.client.readResource({ uri: resources[0]?.uri ?? '' })).rejects.toThrow(/not found/i)
  const status = await narrow.client.callTool({ name: 'millrace_execution', arguments: { executionId } })
  expect(status).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('executions:read') }] })
})

test('each published workflow is a prompt whose arguments become the input that its tool takes', async () => {
  const account = await server.registerAccount()
  const typed = counts.replace(
    'integer, minimum: 0 }',
    'integer, description: Where to begin }, note: { type: string }, deep: { type: object }',
  )
  await publish(account, typed, 'count-up')
  await using connected = await connect(account, ['executions:run'])
  expect((await connected.client.listPrompts()).prompts).toEqual([
    {
      name: 'run_count-up',
      description: expect.stringContaining('count-up'),
      arguments: [
        { name: 'count', description: 'Where to begin', required: true },
        { name: 'note', required: false },
        { name: 'deep', required: false },
      ],
    },
  ])
  const get = (given: Record<string, string>, name = 'run_count-up') => connected.client.getPrompt({ name, arguments: given })
  const { messages } = await get({ count: '4', note: '7', deep: '{"a":[1]}' })
  const text: string = Object(messages[0]?.content).text
  expect(text).toContain('the tool count-up')
  const input = JSON.parse(text.slice(text.indexOf('{')))
  expect(input).toEqual({ count: 4, note: '7', deep: { a: [1] } })
  expect(await connected.client.callTool({ name: 'count-up', arguments: input })).toMatchObject({
    structuredContent: { state: 'completed' },
  })
  await expect(get({})).rejects.toThrow(/count/)
  await expect(get({ count: '4', other: 'x' })).rejects.toThrow(/other/)
  await expect(get({}, 'run_nothing')).rejects.toThrow(/no prompt/)
  await expect(get({}, 'millrace_explain_failure')).rejects.toThrow(/no prompt/)
})

test('the prompt about the last failure shows it with the definition, as far as the scopes permit, and of no other account', async () => {
  const [account, other] = [await server.registerAccount(), await server.registerAccount()]
  const { id } = await publish(account, fails, 'sell')
  await publish(account, counts, 'count-up')
  await using connected = await connect(account, ['executions:run', 'executions:read', 'workflows:read'])
  await connected.client.callTool({ name: 'sell', arguments: {} })
  const get = (client: Client, workflow?: string) =>
    client.getPrompt({ name: 'millrace_explain_failure', ...(workflow === undefined ? {} : { arguments: { workflow } }) })
  for (const workflow of [undefined, 'sell', id]) {
    const texts = (await get(connected.client, workflow)).messages.map(({ content }) => JSON.stringify(content))
    expect(texts).toEqual([
      expect.stringMatching(/Explain why the run exec_.* of the workflow sell failed/),
      expect.stringContaining('Out of stock'),
      expect.stringContaining('name: sell'),
    ])
  }
  await expect(get(connected.client, 'count-up')).rejects.toThrow(/No run of a workflow count-up has failed/)
  await using narrow = await connect(account)
  expect((await get(narrow.client)).messages).toHaveLength(2)
  await using foreign = await connect(other)
  for (const workflow of [undefined, 'sell', id]) await expect(get(foreign.client, workflow)).rejects.toThrow(/has failed/)
})

test.each([{}, { MILLRACE_RATE_LIMIT_CREDENTIAL: 'off' }])(
  'calls of tools count as starts of executions, also those of one request, and no other request does (%j)',
  async (limits) => {
    const account = await server.registerAccount()
    await publish(account, counts, 'count-up')
    const limited = await server.startSecond({ MILLRACE_RATE_LIMIT_EXECUTION: '3/3600', ...limits })
    await using connected = await connect(account, undefined, limited)
    const params = { name: 'count-up', arguments: { count: 4 } }
    const calls = [1, 2, 3, 4].map((id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params }))
    const called = await fetch(`${limited.url}/mcp`, {
      method: 'POST',
      headers: { ...connected.headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(calls),
    })
    const uncounted = server.log.filter((line) => line.includes('rate limits are counted')).join('')
    expect(await called.text(), uncounted).toMatch(/More than 3 requests that start executions/)
    const listed = Array.from({ length: 10 }, () => connected.client.listTools())
    expect((await Promise.all(listed)).every(({ tools }) => tools.length === 2)).toBe(true)
    await limited.close()
  },
)
