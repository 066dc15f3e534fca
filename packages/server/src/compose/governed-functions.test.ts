import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { documentOf, fails } from '#testing/definitions.ts'
import { openEventStream } from '#testing/event-stream.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let model: ModelStandIn
let service: Server
let server: TestServer
let asked = 0
beforeAll(async () => {
  model = await startModelStandIn(({ messages }) => ({ content: `Echo: ${JSON.stringify(messages.at(-1)?.content).slice(1, -1)}` }))
  service = createServer((request, response) => {
    if (request.url === '/away') {
      asked += 1
      response.writeHead(500, { 'content-type': 'text/plain' })
      response.end('Client has encountered a connection error and is not queryable')
      return
    }
    response.writeHead(request.url === '/fails' ? 500 : 200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({ customer: 'My name is Ada Lovelace', mail: 'ada@example.com', detail: 'ada@example.com is unknown', total: 3 }),
    )
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  server = await createTestServer({ MILLRACE_MODEL_URL: model.url, MILLRACE_MODEL_NAME: 'test' })
})
afterAll(async () => {
  await server.close()
  await model.stop()
  service.close()
})

const stated = { purpose: 'Orders', legalBasis: 'contract', retention: 'P90D' } as const
function address(): string {
  const bound = service.address()
  return typeof bound === 'object' && bound !== null ? `http://127.0.0.1:${bound.port}` : ''
}
const fetches = (path = '/') => `do:\n  - ask:\n      call: http\n      with: { method: get, endpoint: '${address()}${path}' }\n`
const asks = `do:\n  - ask:\n      call: model:1.0.0@default\n      with: { prompt: 'Write to ada@example.com' }\n`

async function workflowOf(account: TestAccount, body: string) {
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(body) } })
  const start = (operation = `workflows/${id}/execute`) => account.send('POST', `/api/v1/${operation}`, {}, { prefer: 'wait=20' })
  const decisions = async () => (await account.client.privacy.logs({ query: { workflowId: id } })).data
  return { id, start, decisions }
}

test('what a task gets is redacted before it is journalled, and the replay and the receipt prove the redacted execution', async () => {
  const account = await server.registerAccount()
  await account.client.privacy.putPolicy({ body: { ...stated, point: 'journal', action: 'redact' } })
  const { start, decisions } = await workflowOf(account, fetches())
  const { body } = await start()
  expect(body).toMatchObject({
    state: 'completed',
    output: { customer: 'My name is <PERSON>', mail: '<EMAIL>', detail: '<EMAIL> is unknown', total: 3 },
  })
  const { rows } = await sql<{ row: string }>`
    select to_jsonb(j)::text as row from journal j where account_id = ${account.accountId}
    union all select to_jsonb(e)::text from executions e where account_id = ${account.accountId}`.execute(server.database.system)
  expect(rows.length).toBeGreaterThan(1)
  expect(rows.map(({ row }) => row).join('')).not.toMatch(/Lovelace|ada@/)
  const replay = await account.client.archivist.replay({ params: { id: body.id } })
  expect(replay).toMatchObject({ verified: true })
  const made = await decisions()
  expect(made).toMatchObject([
    { source: 'journal', action: 'redacted', target: `execution:${body.id}`, purpose: 'Orders', counts: { email: 2, person: 1 } },
  ])
})

test('a blocked result fails its task, and a policy of the workflow precedes that of the account', async () => {
  const account = await server.registerAccount()
  await account.client.privacy.putPolicy({ body: { ...stated, point: 'journal', action: 'redact' } })
  const { id, start } = await workflowOf(account, fetches())
  await account.client.privacy.putPolicy({ body: { ...stated, workflowId: id, point: 'journal', action: 'block', kinds: ['email'] } })
  const { body } = await start()
  expect(body).toMatchObject({ state: 'faulted', error: { status: 403, detail: expect.stringContaining('refuses results of tasks') } })
  expect(JSON.stringify(body)).not.toContain('ada@')
})

test('an output is redacted or withheld for every caller, and one decision is logged however often it is read', async () => {
  const account = await server.registerAccount()
  const { id, start, decisions } = await workflowOf(account, fetches())
  await account.client.privacy.putPolicy({ body: { ...stated, workflowId: id, point: 'output', action: 'redact', kinds: ['email'] } })
  const { body } = await start()
  const shown = { customer: 'My name is Ada Lovelace', mail: '<EMAIL>' }
  expect(body).toMatchObject({ output: shown, outputRedacted: true })
  expect(await account.client.workflows.execution({ params: { executionId: body.id } })).toMatchObject({
    output: shown,
    outputRedacted: true,
  })
  expect((await start(`execute/${id}/run`)).body).toMatchObject(shown)
  expect((await decisions()).filter(({ target }) => target === `execution:${body.id}`)).toMatchObject([
    { source: 'output', action: 'redacted' },
  ])
  await account.client.privacy.putPolicy({ body: { ...stated, workflowId: id, point: 'output', action: 'block' } })
  const withheld = await account.client.workflows.execution({ params: { executionId: body.id } })
  expect(withheld.output).toBeUndefined()
  expect(withheld.outputWithheld).toContain('refuses outputs with personal data: email, person')
  const run = await start(`execute/${id}/run`)
  expect([run.status, run.body.code]).toEqual([422, 'personal_data_blocked'])
})

test('a service that is away from its own database is asked once', async () => {
  const { start } = await workflowOf(await server.registerAccount(), fetches('/away'))
  expect((await start()).body).toMatchObject({ state: 'faulted', error: { status: 500, detail: expect.stringContaining('not queryable') } })
  expect(asked).toBe(1)
})

test('the stream of an execution ends with the output as the policy leaves it', async () => {
  const account = await server.registerAccount()
  const { id, start } = await workflowOf(account, fetches())
  const endOf = async (executionId: string) => {
    const url = `${server.url}/api/v1/workflows/executions/${executionId}/stream`
    await using stream = await openEventStream(url, { authorization: `Bearer ${account.token}` })
    return (await stream.rest()).at(-1)?.data
  }
  await account.client.privacy.putPolicy({ body: { ...stated, workflowId: id, point: 'output', action: 'redact', kinds: ['email'] } })
  const { body } = await start()
  expect(await endOf(body.id)).toMatchObject({ output: { mail: '<EMAIL>', detail: '<EMAIL> is unknown' }, outputRedacted: true })
  await account.client.privacy.putPolicy({ body: { ...stated, workflowId: id, point: 'output', action: 'block' } })
  const withheld = await endOf(body.id)
  expect(withheld).toMatchObject({ state: 'completed', outputWithheld: expect.stringContaining('refuses outputs') })
  expect(withheld).not.toHaveProperty('output')
})

test('the input with which a retry replaces another one is redacted or refused as that of a start', async () => {
  const account = await server.registerAccount()
  const { id, start, decisions } = await workflowOf(account, fails)
  const [first, second] = [(await start()).body.id, (await start()).body.id]
  const retry = (executionId: string) =>
    account.send('POST', `/api/v1/workflows/executions/${executionId}/retry`, { input: { mail: 'ada@example.com' } }, { prefer: 'wait=20' })
  const policy = { ...stated, workflowId: id, point: 'input' as const, kinds: ['email' as const] }
  await account.client.privacy.putPolicy({ body: { ...policy, action: 'redact' } })
  const { body } = await retry(first)
  expect(body).toMatchObject({ retryOf: first, input: { mail: '<EMAIL>' } })
  expect(await decisions()).toMatchObject([{ source: 'execution', action: 'redacted', target: `execution:${body.id}` }])
  await account.client.privacy.putPolicy({ body: { ...policy, action: 'block' } })
  expect(await retry(second)).toMatchObject({ status: 422, body: { code: 'personal_data_blocked', errors: [{ pointer: '/input/mail' }] } })
  expect((await account.client.workflows.execution({ params: { executionId: second } })).retriedBy).toBeUndefined()
})

test('a prompt is redacted for the model and restored in its answer, or not sent', async () => {
  const account = await server.registerAccount()
  const { id, start } = await workflowOf(account, asks)
  await account.client.privacy.putPolicy({ body: { ...stated, workflowId: id, point: 'prompts', action: 'redact' } })
  const { body } = await start()
  expect(body).toMatchObject({ output: { text: 'Echo: Write to ada@example.com' } })
  expect(JSON.stringify(model.requests())).toContain('<EMAIL_1>')
  // The receipt has the digest of what the model was sent, which is not what the definition asks.
  const sent = { messages: [{ role: 'user', text: 'Write to <EMAIL_1>' }], schema: null, tools: [] }
  const { statement } = await account.client.archivist.receipt({ params: { id: body.id } })
  const sha = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`
  expect(statement).toMatchObject({
    predicate: {
      models: [
        {
          position: '/do/0/ask',
          modelId: 'test',
          promptDigest: sha(JSON.stringify(sent)),
          answerDigest: sha('"Echo: Write to ada@example.com"'),
        },
      ],
    },
  })
  await account.client.privacy.putPolicy({ body: { ...stated, workflowId: id, point: 'prompts', action: 'block' } })
  expect((await start()).body).toMatchObject({
    state: 'faulted',
    error: { status: 403, detail: expect.stringContaining('refuses prompts') },
  })
  expect(JSON.stringify(model.requests())).not.toContain('ada@')
})

test('the message of a failed task is redacted or replaced', async () => {
  const account = await server.registerAccount()
  const { start, decisions } = await workflowOf(account, fetches('/fails'))
  await account.client.privacy.putPolicy({ body: { ...stated, point: 'logs', action: 'redact' } })
  const redacted = (await start()).body
  expect(redacted).toMatchObject({ state: 'faulted', error: { status: 500 } })
  expect(JSON.stringify(redacted)).toContain('<EMAIL>')
  expect(JSON.stringify(redacted)).not.toContain('ada@')
  await account.client.privacy.putPolicy({ body: { ...stated, point: 'logs', action: 'block' } })
  expect((await start()).body).toMatchObject({ error: { status: 500, detail: 'The privacy policy withholds this message.' } })
  expect((await decisions()).map(({ source, action }) => [source, action])).toEqual([
    ['logs', 'blocked'],
    ['logs', 'redacted'],
  ])
})
