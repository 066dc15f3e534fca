import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMember } from '#testing/approvals.ts'
import { documentOf } from '#testing/definitions.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const path = '/api/v1/model-limits'

let server: TestServer
let standIn: ModelStandIn
/** The model answers when it is resolved. */
let gate: Promise<void>
/** A call costs 0.30 and uses 300 tokens. */
const usage = { prompt_tokens: 100, completion_tokens: 200, total_tokens: 300 }
const prices = { input: 1000, output: 1000 }
beforeAll(async () => {
  standIn = await startModelStandIn(async () => {
    await gate
    return { content: JSON.stringify({ explanation: 'This.' }), usage }
  })
  server = await createTestServer({ MILLRACE_MODEL_URL: standIn.url, MILLRACE_MODEL_NAME: 'shared' })
})
afterAll(async () => {
  await server.close()
  await standIn.stop()
})
beforeEach(() => {
  gate = Promise.resolve()
})

/** An account with a model of its own that has prices. */
async function withModel(more: object = { prices }) {
  const account = await server.registerAccount()
  const body = { name: 'main', url: standIn.url, model: 'm', ...more }
  expect((await account.send('POST', '/api/v1/models', body)).status).toBe(200)
  return account
}

async function limit(account: TestAccount, body: object) {
  const set = await account.send('PUT', path, body)
  expect([set.status, set.body.errors]).toEqual([200, undefined])
  return set.body
}

const ask = (account: TestAccount) => account.send('POST', '/api/v1/ai-assist', { action: 'explain', definition: 'do: []' })

async function notices(account: TestAccount) {
  const { body } = await account.send('GET', '/api/v1/notifications')
  const found: readonly { readonly kind: string; readonly title: string; readonly body: string }[] = body.data
  return found.filter(({ kind }) => kind === 'quota.near').map(({ title, body: text }) => `${title}: ${text}`)
}

test('an account over its limit of a month is refused before a model is asked, which names what was used and the way on', async () => {
  const account = await withModel()
  await account.send('PUT', '/api/v1/model-settings', { installationModels: 'missing', currency: 'EUR' })
  expect(await limit(account, { month: { cost: 0.5, tokens: null } })).toMatchObject({
    currency: 'EUR',
    month: { cost: 0.5, used: { cost: 0 } },
  })
  expect((await ask(account)).status).toBe(200)
  expect((await ask(account)).status).toBe(200)
  const asked = standIn.mock.getRequests().length
  const refused = await ask(account)
  expect(refused).toMatchObject({
    status: 429,
    body: { code: 'quota_exceeded', meter: 'model_cost', setBy: 'account', limit: 0.5, used: 0.6, period: 'month' },
  })
  expect(refused.body.detail).toMatch(
    /spent 0\.60 EUR of the 0\.50 EUR .* in a month\. The count begins again at \d{4}-\d\d-01T00:00:00.* raise the limit/,
  )
  expect(standIn.mock.getRequests()).toHaveLength(asked)
  expect((await account.send('GET', path)).body.month).toMatchObject({ used: { cost: 0.6, tokens: 600 } })
  await limit(account, { month: { cost: 5, tokens: null } })
  expect((await ask(account)).status).toBe(200)
})

test('a task over the limit fails as one over any other limit, and the record of the call says why', async () => {
  const account = await withModel()
  await limit(account, { day: { cost: null, tokens: 100 } })
  const definition = documentOf('do:\n  - ask: { call: model, with: { prompt: Say it. } }\n')
  const { body: workflow } = await account.send('POST', '/api/v1/workflows', { definition, publish: true })
  const run = async () => (await account.send('POST', `/api/v1/workflows/${workflow.id}/execute`, {}, { prefer: 'wait=20' })).body
  expect((await run()).state).toBe('completed')
  expect(await run()).toMatchObject({
    state: 'faulted',
    error: { status: 429, detail: expect.stringMatching(/300 tokens of the 100 tokens .* in a day/) },
  })
  expect((await account.send('GET', '/api/v1/model-calls?state=failed')).body.data).toMatchObject([{ failure: 'quota' }])
})

test('administrators are notified at the percentage and at the limit, once each, and again for a limit that was raised', async () => {
  const account = await withModel()
  const member = await addMember(server, account, 'member')
  await limit(account, { month: { cost: 1, tokens: null }, warnPercent: 50 })
  await ask(account)
  expect(await notices(account)).toEqual([])
  await ask(account)
  expect(await notices(account)).toEqual([expect.stringMatching(/^50 % of the limit for models are used this month: .* 0.60 of 1.00\./)])
  await ask(account)
  await ask(account)
  await ask(account)
  expect(await notices(account)).toEqual([
    expect.stringMatching(/^The limit for models is used up for this month: .* 1.20 of 1.00\./),
    expect.any(String),
  ])
  expect((await member.client.notifications.list({})).data).toEqual([])
  await limit(account, { month: { cost: 2, tokens: null }, warnPercent: 50 })
  await ask(account)
  expect(await notices(account)).toHaveLength(3)
})

test('usage counts to the end of its month, in every process, whatever becomes of the records of calls', async () => {
  const account = await withModel()
  const other = await withModel()
  await ask(account)
  const { system } = server.database
  await sql`delete from model_calls where account_id = ${account.accountId}`.execute(system)
  await sql`update model_usage set day = date_trunc('month', now() at time zone 'UTC')::date where account_id = ${account.accountId}`.execute(
    system,
  )
  await limit(account, { month: { cost: null, tokens: 300 } })
  expect((await ask(account)).body).toMatchObject({ code: 'quota_exceeded', meter: 'model_tokens', used: 300 })
  await sql`update model_usage set day = day - 1 where account_id = ${account.accountId}`.execute(system)
  expect((await ask(account)).status).toBe(200)
  expect((await ask(other)).status).toBe(200)
})

test('requests at the same time count together against what the month may cost', async () => {
  const account = await withModel()
  // One of them is expected to cost more than 1.
  await limit(account, { month: { cost: 1, tokens: null } })
  const waiting = Promise.withResolvers<void>()
  gate = waiting.promise
  const refused: number[] = []
  const sent = Array.from({ length: 6 }, async () => {
    const { status } = await ask(account)
    if (status === 429) refused.push(status)
    return status
  })
  await expect.poll(() => refused.length).toBe(5)
  waiting.resolve()
  expect((await Promise.all(sent)).filter((status) => status === 200)).toHaveLength(1)
  expect((await ask(account)).status).toBe(200)
})

test('models without prices are named, since only a limit of tokens counts them', async () => {
  const account = await withModel({})
  await account.send('POST', '/api/v1/models', { name: 'priced', url: standIn.url, model: 'm', prices, roles: ['vision'] })
  expect((await account.send('GET', path)).body.unpriced).toEqual(['account:main'])
  await account.send('PUT', '/api/v1/model-settings', { installationModels: 'fallback' })
  expect((await account.send('GET', path)).body.unpriced.toSorted()).toEqual(['account:main', 'default'])
  await limit(account, { month: { cost: 0.01, tokens: 300 } })
  expect((await ask(account)).status).toBe(200)
  expect((await ask(account)).body).toMatchObject({ code: 'quota_exceeded', meter: 'model_tokens' })
})

test('only administrators change and read the limits, and a change is in the audit log with what it was before', async () => {
  const account = await withModel()
  await limit(account, { month: { cost: 7, tokens: null } })
  await limit(account, { month: { cost: 9, tokens: null }, day: { cost: 1, tokens: 50 }, warnPercent: 60 })
  const { client } = await addMember(server, account, 'member')
  await expect(client.modelLimits.get()).rejects.toMatchObject({ status: 403 })
  await expect(client.modelLimits.update({ body: {} })).rejects.toMatchObject({ status: 403 })
  const { rows } = await sql<{ readonly details: unknown }>`
    select details from audit_events where account_id = ${account.accountId} and event = 'model.limits_updated' order by id`.execute(
    server.database.system,
  )
  expect(rows.map(({ details }) => JSON.stringify(details))).toEqual([expect.any(String), expect.stringMatching(/7.*9/)])
  const refused = await account.send('PUT', path, { month: { cost: 0, tokens: null }, warnPercent: 100 })
  expect(refused.body.errors).toMatchObject([{ pointer: '/month/cost' }, { pointer: '/warnPercent' }])
})
