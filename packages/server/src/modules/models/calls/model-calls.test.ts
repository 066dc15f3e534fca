import { createHash } from 'node:crypto'
import { bytesOf } from '@millrace/contract/transparency'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { documentOf } from '#testing/definitions.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { deleteExpiredCalls } from './call-store.ts'

let standIn: ModelStandIn
let server: TestServer
let account: TestAccount
beforeAll(async () => {
  // Repeats the placeholder or the address that it is shown.
  standIn = await startModelStandIn(({ messages }) => ({
    content: `Noted ${/<?[\w@.]+>?$/.exec(JSON.parse(JSON.stringify(messages.at(-1)?.content)))?.[0]}`,
  }))
  server = await createTestServer({ MILLRACE_MODEL_URL: standIn.url, MILLRACE_MODEL_NAME: 'test' })
})
beforeEach(async () => {
  account = await server.registerAccount()
})
afterAll(async () => {
  await server.close()
  await standIn.stop()
})

const asks = 'do:\n  - ask: { call: model, with: { prompt: \'${ "Write to \\(.to)" }\' } }\n'
const to = 'ada@example.com'

async function ask(of: TestAccount = account) {
  const { id } = await of.client.workflows.create({ body: { definition: documentOf(asks) } })
  const { body } = await of.send('POST', `/api/v1/workflows/${id}/execute`, { input: { to } }, { prefer: 'wait=30' })
  expect([body.state, body.error ?? null]).toEqual(['completed', null])
  return body
}

const setTexts = (texts: string | null) => account.send('PUT', '/api/v1/model-settings', { installationModels: 'missing', texts })
const callsOf = async (executionId: string) => (await account.send('GET', `/api/v1/model-calls?executionId=${executionId}`)).body.data
const read = async (id: string) => (await account.send('GET', `/api/v1/model-calls/${id}`)).body
const digestOf = (text: string) =>
  `sha256:${createHash('sha256')
    .update(bytesOf(JSON.parse(text)))
    .digest('hex')}`

test('a call has the digest that the journal and the receipt state, and no text by default', async () => {
  const { id, output } = await ask()
  const [call, ...others] = await callsOf(id)
  expect(others).toEqual([])
  expect(call).toMatchObject({ executionId: id, position: '/do/0/ask', model: 'default', modelId: 'test', texts: 'hashed' })
  expect(call.promptDigest).toBe(output.promptDigest)
  const { statement } = (await account.send('GET', `/api/v1/archivist/runs/${id}/guardian-receipt`)).body
  expect(statement.predicate.models).toMatchObject([{ promptDigest: call.promptDigest }])
  expect(await read(call.id)).toMatchObject({ prompt: null, answer: null })
  const { rows } =
    await sql<object>`select from model_calls where account_id = ${account.accountId} and model_calls::text like ${`%${to}%`}`.execute(
      server.database.system,
    )
  expect(rows).toEqual([])
})

test('where texts are kept, they are those that left and reached the installation, and agree with their digests', async () => {
  const policy = { point: 'prompts', action: 'redact', kinds: ['email'], purpose: 'Orders', legalBasis: 'contract' }
  expect((await account.send('PUT', '/api/v1/privacy/policies', policy)).status).toBe(200)
  expect((await setTexts('kept')).body).toEqual({ installationModels: 'missing', texts: 'kept', currency: null })
  const { id, output } = await ask()
  expect(output.text).toBe(`Noted ${to}`)
  const [{ id: call }] = await callsOf(id)
  const { prompt, answer, promptDigest, answerDigest, texts } = await read(call)
  expect(texts).toBe('kept')
  expect(JSON.parse(prompt).messages.at(-1).text).toBe('Write to <EMAIL_1>')
  expect(JSON.parse(answer)).toEqual({ text: 'Noted <EMAIL_1>', toolCalls: [] })
  expect([digestOf(prompt), digestOf(answer)]).toEqual([promptDigest, answerDigest])
  const { data } = (await account.send('GET', '/api/v1/audit/me')).body
  expect(data).toContainEqual(expect.objectContaining({ event: 'model.call_read', target: call }))
})

test('an account chooses against the operator, and its choice applies to later calls', async () => {
  await setTexts('kept')
  const first = await ask()
  await setTexts('hashed')
  const second = await ask()
  const texts = async ({ id }: { readonly id: string }) => (await callsOf(id)).map((call: { readonly texts: string }) => call.texts)
  expect([await texts(first), await texts(second)]).toEqual([['kept'], ['hashed']])
  // A request without the member leaves the choice.
  await setTexts('kept')
  await account.send('PUT', '/api/v1/model-settings', { installationModels: 'fallback' })
  expect((await account.send('GET', '/api/v1/model-settings')).body).toEqual({
    installationModels: 'fallback',
    texts: 'kept',
    currency: null,
  })
  expect((await setTexts(null)).body.texts).toBe('hashed')
  await using keeping = await createTestServer({
    MILLRACE_MODEL_URL: standIn.url,
    MILLRACE_MODEL_NAME: 'test',
    MILLRACE_MODEL_TEXTS: 'kept',
  })
  const other = await keeping.registerAccount()
  await other.send('POST', '/api/v1/ai-assist', { action: 'explain', definition: 'do: []' })
  const { data } = (await other.send('GET', '/api/v1/model-calls')).body
  expect(data[0]).toMatchObject({ texts: 'kept', executionId: null, position: null })
  expect((await other.send('PUT', '/api/v1/model-settings', { installationModels: 'missing', texts: 'hashed' })).body.texts).toBe('hashed')
})

test('records are deleted after 30 days, or with the retention of the account if that is shorter', async () => {
  const lifeOf = async () => {
    const [{ at, expiresAt }] = await callsOf((await ask()).id)
    return (Date.parse(expiresAt) - Date.parse(at)) / 86_400_000
  }
  expect(await lifeOf()).toBe(30)
  await account.send('PATCH', '/api/v1/account', { retentionDays: 7 })
  expect(await lifeOf()).toBe(7)
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
  const left = async () => (await account.send('GET', '/api/v1/model-calls')).body.data.length
  await deleteExpiredCalls(server.database.system, inDays(6), 1_000)
  expect(await left()).toBe(2)
  await deleteExpiredCalls(server.database.system, inDays(8), 1_000)
  expect(await left()).toBe(1)
})

test('an erasure reaches kept texts, and leaves their digests', async () => {
  await setTexts('kept')
  const [{ id, promptDigest }] = await callsOf((await ask()).id)
  expect((await read(id)).prompt).toContain(to)
  const erasure = (await account.send('POST', '/api/v1/privacy/erasures', { values: [to] })).body.id
  const state = async () => (await account.send('GET', `/api/v1/privacy/erasures/${erasure}`)).body.state
  await expect.poll(state, { interval: 200 }).toBe('done')
  const call = await read(id)
  expect([call.prompt, call.answer].join()).not.toContain(to)
  expect([call.prompt.includes('[erased:'), call.promptDigest]).toEqual([true, promptDigest])
})

test('what a workflow and an agent cost and said is found by task, workflow, model and time', async () => {
  await using priced = await createTestServer({
    MILLRACE_MODEL_URL: standIn.url,
    MILLRACE_MODEL_NAME: 'test',
    MILLRACE_MODEL_PRICES: '1000/2000',
    MILLRACE_MODEL_TEXTS: 'kept',
  })
  const other = await priced.registerAccount()
  const get = async (path: string) => (await other.send('GET', path)).body
  const definition = documentOf(`do:
  - each: { for: { each: name, in: '\${ ["a", "b"] }' }, do: [{ ask: { call: model, with: { prompt: '\${ "Call " + $name }' } } }] }
  - 𝒲ork 🜁: { call: agent, with: { goal: Sum up., tools: [] } }
`)
  const { id: workflowId } = await other.client.workflows.create({ body: { definition } })
  const { body: run } = await other.send('POST', `/api/v1/workflows/${workflowId}/execute`, { input: {} }, { prefer: 'wait=30' })
  expect([run.state, run.error ?? null]).toEqual(['completed', null])
  await other.send('POST', '/api/v1/ai-assist', { action: 'explain', definition: 'do: []' })
  const at = async (position: string) =>
    (await get(`/api/v1/model-calls?executionId=${run.id}&position=${encodeURIComponent(position)}`)).data
  const [call, ...others] = await at('/do/0/each[1]/do/0/ask')
  expect(others).toEqual([])
  expect(call).toMatchObject({
    workflowId,
    finish: 'stop',
    cost: (call.inputTokens * 1000 + call.outputTokens * 2000) / 1e6,
    durationMs: expect.any(Number),
  })
  expect(JSON.parse((await get(`/api/v1/model-calls/${call.id}`)).prompt).messages.at(-1).text).toContain('Call b')
  expect(await at('/do/0/each')).toHaveLength(2)
  expect(await at('/do/1/𝒲ork 🜁')).toMatchObject([
    { position: expect.stringMatching(/^\/do\/1\/𝒲ork 🜁\/function\/.*\/call\/do\/1\/turn$/) },
  ])
  expect(await at('/do/1/𝒲or')).toEqual([])
  const use = await get('/api/v1/model-usage')
  expect(use.calls).toBeGreaterThan(3)
  expect(use.days).toMatchObject([{ calls: use.calls, cost: use.cost }])
  expect(use.models).toMatchObject([{ model: 'default', calls: use.calls, cost: use.cost }])
  const groups = use.workflows.map((group: { calls: number; workflowId: string | null }) => [group.workflowId, group.calls])
  expect(new Map(groups)).toEqual(
    new Map([
      [workflowId, 3],
      [null, use.calls - 3],
    ]),
  )
  const some = await get(`/api/v1/model-usage?workflowId=${workflowId}&model=default`)
  const listed = (await get(`/api/v1/model-calls?workflowId=${workflowId}&model=default`)).data
  expect(some.calls).toBe(3)
  expect(some.cost).toBeCloseTo(
    listed.reduce((sum: number, each: { cost: number }) => sum + each.cost, 0),
    6,
  )
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  expect((await get(`/api/v1/model-usage?from=${tomorrow}`)).calls).toBe(0)
  expect((await get(`/api/v1/model-calls?to=${tomorrow}`)).data).toHaveLength(use.calls)
})
