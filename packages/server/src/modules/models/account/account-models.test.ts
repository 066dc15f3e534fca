import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addMember } from '#testing/approvals.ts'
import { documentOf } from '#testing/definitions.ts'
import { listenLocally } from '#testing/listen-locally.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const path = '/api/v1/models'
const key = ['sk', 'of-account', '4711-abcdef'].join('-')

let server: TestServer
let own: ModelStandIn
let operators: ModelStandIn
/** What the model of the account explains. */
let answer = 'from the account'
let doors: { readonly own: Door; readonly operators: Door }
beforeAll(async () => {
  own = await startModelStandIn(() => explained(answer))
  operators = await startModelStandIn(() => explained('from the installation'))
  doors = { own: await openDoor(own.url), operators: await openDoor(operators.url) }
  server = await createTestServer({
    MILLRACE_MODEL_URL: doors.operators.url,
    MILLRACE_MODEL_NAME: 'shared',
    MILLRACE_MODEL_KEY: 'of-the-operator',
  })
})
afterAll(async () => {
  await server.close()
  for (const door of [doors.own, doors.operators]) await door[Symbol.asyncDispose]()
  await own.stop()
  await operators.stop()
})
beforeEach(() => {
  answer = 'from the account'
  own.mock.clearRequests()
  for (const { keys } of [doors.own, doors.operators]) keys.length = 0
})

const explained = (explanation: string) => ({ content: JSON.stringify({ explanation }) })

type Door = Awaited<ReturnType<typeof openDoor>>

/** Records the keys that a stand-in is sent, which it does not show itself. */
async function openDoor(target: string) {
  const keys: (string | undefined)[] = []
  const door = await listenLocally(async (incoming, outgoing) => {
    let text = ''
    for await (const chunk of incoming) text += String(chunk)
    const { method = 'GET', url = '', headers } = incoming
    if (method === 'POST') keys.push(headers.authorization)
    const body = text === '' ? {} : { body: text }
    const response = await fetch(new URL(url, target), { method, headers: { 'content-type': 'application/json' }, ...body })
    outgoing.writeHead(response.status, { 'content-type': 'application/json' }).end(await response.text())
  })
  return { ...door, url: `${door.url}/v1`, keys }
}

/** The id is in the list of the stand-in, so that a test asks for no text. */
const model = (more: object = {}) => ({ name: 'main', url: doors.own.url, model: 'gpt-4o', key, ...more })

async function add(account: TestAccount, more: object = {}) {
  const { status, body } = await account.send('POST', path, model(more))
  expect([status, body.detail, body.errors]).toEqual([200, undefined, undefined])
  return body
}

/** Asks a model by an operation that returns what it wrote. */
async function ask(account: TestAccount) {
  const { status, body } = await account.send('POST', '/api/v1/ai-assist', { action: 'explain', definition: 'do: []' })
  return { status, text: body.text, model: body.usage?.model, body }
}

async function runAsk(account: TestAccount) {
  const definition = documentOf('do:\n  - ask: { call: model, with: { prompt: Say it. } }\n')
  const { body: workflow } = await account.send('POST', '/api/v1/workflows', { definition, publish: true })
  return (await account.send('POST', `/api/v1/workflows/${workflow.id}/execute`, {}, { prefer: 'wait=20' })).body
}

test('the model of an account is asked for that account with its key, and for no other account', async () => {
  const [account, other] = [await server.registerAccount(), await server.registerAccount()]
  await add(account)
  expect(await ask(account)).toMatchObject({ status: 200, text: 'from the account', model: 'account:main' })
  expect(await ask(other)).toMatchObject({ status: 200, text: 'from the installation', model: 'default' })
  expect(doors.own.keys).toEqual([`Bearer ${key}`])
  expect(doors.operators.keys).toEqual(['Bearer of-the-operator'])
  expect((await other.send('GET', path)).body).toEqual({ data: [] })
})

test('an execution asks the model of its account', async () => {
  const account = await server.registerAccount()
  await add(account)
  const { state, output } = await runAsk(account)
  expect([state, output]).toMatchObject(['completed', { text: expect.stringContaining('from the account'), model: 'account:main' }])
})

test('the key of a model is in no response, log line, journal or audit row, also if the endpoint returns it', async () => {
  const account = await server.registerAccount()
  answer = `Your key is ${key}.`
  const made = await add(account)
  expect(made).toMatchObject({ hasKey: true, state: 'ready', name: 'main' })
  const asked = await ask(account)
  expect(asked.text).toBe('Your key is ***.')
  const run = await runAsk(account)
  expect(run.output.text).toContain('Your key is ***.')
  const updated = await account.send('PUT', `${path}/${made.id}`, { key, roles: ['speech'] })
  const refusing = await listenLocally(async ({ headers }, outgoing) => {
    outgoing
      .writeHead(400, { 'content-type': 'application/json' })
      .end(JSON.stringify({ error: { message: `bad ${headers.authorization}` } }))
  })
  const failing = await add(account, { name: 'failing', url: `${refusing.url}/v1`, roles: ['strong'] })
  const refused = await ask(account)
  await refusing[Symbol.asyncDispose]()
  expect(refused.status).toBe(503)
  const texts = [made, asked.body, run, updated.body, failing, refused.body, (await account.send('GET', path)).body]
  for (const part of ['health/models', 'ai-assist/health']) texts.push((await account.send('GET', `/api/v1/${part}`)).body)
  const { rows } = await sql<{ text: string }>`
    select m::text as text from account_models m union all select j::text from journal j union all select e::text from executions e
    union all select a::text from audit_events a where a.account_id = ${account.accountId}`.execute(server.database.system)
  const everything = [JSON.stringify(texts), server.log.join('\n'), ...rows.map(({ text }) => text)].join('\n')
  for (const form of [key, Buffer.from(key).toString('hex'), Buffer.from(key).toString('base64')])
    expect(everything.includes(form)).toBe(false)
})

test.each([
  'http://10.0.0.1/v1',
  'http://169.254.169.254/latest',
  'http://[::1]:11434/v1',
  'http://user:word@models.example.com/v1',
  'http://models.example.com/v1?',
])('the address %s of a model is refused', async (url) => {
  const account = await server.registerAccount()
  const { id } = await add(account)
  for (const refused of [
    await account.send('POST', path, model({ name: 'internal', url })),
    await account.send('PUT', `${path}/${id}`, { url, key }),
  ])
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: '/url' }] } })
})

test('a model of Anthropic is refused for a role that its API does not serve', async () => {
  const account = await server.registerAccount()
  const { id } = await add(account)
  for (const refused of [
    await account.send('POST', path, model({ name: 'ears', kind: 'anthropic', roles: ['fast', 'speech'] })),
    await account.send('PUT', `${path}/${id}`, { kind: 'anthropic', roles: ['fast', 'embedding'], key }),
  ])
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: '/roles/1' }] } })
})

test.each(['with a space', 'line\r\nx-other: 1', 'schl\u00fcssel-4711', ' '.repeat(10)])(
  'the key %j, which cannot be sent as a header, is refused',
  async (refused) => {
    const account = await server.registerAccount()
    expect(await account.send('POST', path, model({ key: refused }))).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/key' }] },
    })
  },
)

test('a process that may not reach internal addresses never asks a model at one, also if it was added before', async () => {
  const account = await server.registerAccount()
  await add(account)
  own.mock.clearRequests()
  const guarded = await server.startSecond({ MILLRACE_PRIVATE_NETWORK: '' })
  const response = await fetch(`${guarded.url}/api/v1/ai-assist`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'explain', definition: 'do: []' }),
  })
  const { detail } = Object(await response.json())
  expect([response.status, detail]).toEqual([503, expect.stringContaining('is not at an address that workflows may reach')])
  expect(own.mock.getRequests()).toHaveLength(0)
})

test('a deleted model is not asked any more', async () => {
  const account = await server.registerAccount()
  const { id } = await add(account)
  expect((await ask(account)).model).toBe('account:main')
  expect((await account.send('DELETE', `${path}/${id}`)).status).toBe(200)
  expect((await ask(account)).model).toBe('default')
  expect(await account.send('GET', `${path}/${id}`)).toMatchObject({ status: 404 })
})

test('the models of the installation are used as the account decides', async () => {
  const account = await server.registerAccount()
  const decide = (installationModels: string) => account.send('PUT', '/api/v1/model-settings', { installationModels })
  expect((await account.send('GET', '/api/v1/model-settings')).body).toEqual({
    installationModels: 'missing',
    texts: 'hashed',
    currency: null,
  })
  const { id } = await add(account, { url: 'http://127.0.0.1:9/v1' })
  expect((await ask(account)).status).toBe(503)
  await decide('fallback')
  expect(await ask(account)).toMatchObject({ text: 'from the installation', model: 'default' })
  await decide('never')
  expect((await ask(account)).body).toMatchObject({ code: 'model_unavailable' })
  await account.send('DELETE', `${path}/${id}`)
  expect((await ask(account)).body).toMatchObject({
    code: 'model_not_configured',
    detail: expect.stringContaining('/api/v1/model-settings'),
  })
  await decide('missing')
  expect((await ask(account)).model).toBe('default')
})

test('a model of the account serves its roles, and without one an installation without models names the way to add it', async () => {
  await using bare = await createTestServer()
  const account = await bare.registerAccount()
  expect((await ask(account)).body).toMatchObject({ code: 'model_not_configured', detail: expect.stringContaining('/api/v1/models') })
  await account.send('POST', path, model({ roles: ['speech'] }))
  expect((await ask(account)).status).toBe(503)
  await account.send('POST', path, model({ name: 'texts', roles: ['fast'] }))
  expect((await ask(account)).status).toBe(200)
  const other = await bare.registerAccount()
  expect((await ask(other)).status).toBe(503)
})

test('the limit of money counts the calls of the installation alone, and the tokens of the day count all', async () => {
  const limits = { MILLRACE_MODEL_PRICES: '1000/1000', MILLRACE_MODEL_COST_PER_DAY: '0.000001' }
  const operator = { MILLRACE_MODEL_URL: operators.url, MILLRACE_MODEL_NAME: 'shared' }
  await using limited = await createTestServer({ ...operator, ...limits })
  const account = await limited.registerAccount()
  const { id } = (await account.send('POST', path, model({ prices: { input: 1000, output: 1000 } }))).body
  expect((await ask(account)).status).toBe(200)
  expect((await ask(account)).status).toBe(200)
  await account.send('DELETE', `${path}/${id}`)
  expect((await ask(account)).status).toBe(200)
  expect((await ask(account)).body).toMatchObject({ code: 'quota_exceeded' })
  await account.send('POST', path, model())
  expect((await ask(account)).status).toBe(200)
  await using tokens = await createTestServer({ MILLRACE_MODEL_TOKENS_PER_DAY: '1' })
  const second = await tokens.registerAccount()
  await second.send('POST', path, model())
  expect((await ask(second)).status).toBe(200)
  expect((await ask(second)).body).toMatchObject({ code: 'quota_exceeded' })
})

test('the region that an account states for a model needs the consent to transfers', async () => {
  await using regional = await createTestServer({ MILLRACE_REGION: 'SA' })
  const account = await regional.registerAccount()
  const { id } = (await account.send('POST', path, model({ region: 'SA' }))).body
  expect((await ask(account)).status).toBe(200)
  await account.send('PUT', `${path}/${id}`, { region: 'US' })
  expect((await ask(account)).body).toMatchObject({ status: 403, code: 'consent_required' })
  await account.send('POST', '/api/v1/account/consents/cross-border', { purposes: ['Answers of a model'] })
  expect((await ask(account)).status).toBe(200)
})

test('a stored key is not sent to another address', async () => {
  const account = await server.registerAccount()
  const { id, revision } = await add(account)
  const moved = await account.send('PUT', `${path}/${id}`, { url: operators.url })
  expect(moved).toMatchObject({ status: 400, body: { errors: [{ pointer: '/key' }] } })
  expect((await account.send('PUT', `${path}/${id}`, { model: 'gpt-4' }, { 'if-match': '"99"' })).body).toMatchObject({
    code: 'revision_mismatch',
  })
  const updated = await account.send(
    'PUT',
    `${path}/${id}`,
    { model: 'gpt-4', prices: { input: 1, output: 2 } },
    { 'if-match': `"${revision}"` },
  )
  expect(updated.body).toMatchObject({ hasKey: true, model: 'gpt-4', prices: { input: 1, output: 2 }, region: null })
  await ask(account)
  expect(doors.own.keys).toEqual([`Bearer ${key}`])
  expect((await account.send('PUT', `${path}/${id}`, { key: null })).body).toMatchObject({ hasKey: false })
  doors.own.keys.length = 0
  await ask(account)
  expect(doors.own.keys).toEqual([undefined])
})

/** An endpoint that changes the model that is tested with it before it answers, once. */
async function openChangingEndpoint(account: TestAccount, change: () => { readonly id: string; readonly body: object }) {
  const statuses: number[] = []
  const endpoint = await listenLocally(async ({ headers: { authorization } }, outgoing) => {
    const { id, body } = change()
    if (statuses.length === 0) statuses.push((await account.send('PUT', `${path}/${id}`, body)).status)
    outgoing.writeHead(authorization === undefined ? 200 : 401, { 'content-type': 'application/json' }).end('{"data":[]}')
  })
  return { ...endpoint, url: `${endpoint.url}/v1`, statuses }
}

test('a key that is stored while another address is tested is not sent to that address', async () => {
  const account = await server.registerAccount()
  const { id } = await add(account, { key: undefined })
  await using changing = await openChangingEndpoint(account, () => ({ id, body: { key } }))
  const moved = await account.send('PUT', `${path}/${id}`, { url: changing.url })
  expect(changing.statuses).toEqual([200])
  expect(moved).toMatchObject({ status: 409, body: { code: 'revision_mismatch' } })
  expect((await account.send('GET', `${path}/${id}`)).body).toMatchObject({ url: doors.own.url, hasKey: true })
})

test('what a test found is not recorded for a model that was changed meanwhile', async () => {
  const account = await server.registerAccount()
  let id = ''
  await using changing = await openChangingEndpoint(account, () => ({ id, body: { url: doors.own.url, key } }))
  const made = await account.send('POST', path, model({ key: undefined, url: 'http://127.0.0.1:9/v1' }))
  id = made.body.id
  await sql`update account_models set url = ${changing.url} where id = (select id from account_models where account_id = ${account.accountId})`.execute(
    server.database.system,
  )
  const tested = await account.send('POST', `${path}/${id}/test`, {})
  expect(changing.statuses).toEqual([200])
  expect(tested).toMatchObject({ status: 409, body: { code: 'revision_mismatch' } })
  expect((await account.send('GET', `${path}/${id}`)).body).toMatchObject({ url: doors.own.url, state: 'ready', problem: null })
})

test('an administrator changes models, a member reads them, and two have not the same name', async () => {
  const account = await server.registerAccount()
  const { id } = await add(account)
  expect(await account.send('POST', path, model())).toMatchObject({ status: 409, body: { code: 'conflict' } })
  const { client } = await addMember(server, account, 'member')
  expect((await client.models.list()).data).toHaveLength(1)
  const params = { id }
  const changes = [
    () => client.models.create({ body: model({ name: 'other' }) }),
    () => client.models.update({ params, body: { model: 'n' } }),
    () => client.models.delete({ params }),
    () => client.models.test({ params }),
    () => client.models.updateSettings({ body: { installationModels: 'never' } }),
  ]
  for (const change of changes) await expect(change()).rejects.toMatchObject({ status: 403 })
})

test('a test and the health show whether the endpoint responds, without what it returned', async () => {
  const account = await server.registerAccount()
  const { id } = await add(account, { url: 'http://127.0.0.1:9/v1' })
  const failed = await account.send('POST', `${path}/${id}/test`, {})
  expect(failed.body).toMatchObject({ state: 'failed', problem: expect.stringContaining('cannot be reached') })
  expect((await account.send('GET', '/api/v1/health/models')).body).toMatchObject({
    status: 'degraded',
    data: [
      { name: 'default', reachable: true },
      { name: 'account:main', reachable: false },
    ],
  })
  expect((await account.send('GET', '/api/v1/ai-assist/health')).body).toMatchObject({
    status: 'down',
    roles: { strong: ['account:main'] },
  })
  await account.send('PUT', `${path}/${id}`, { url: doors.own.url, key })
  expect((await account.send('POST', `${path}/${id}/test`, {})).body).toMatchObject({ state: 'ready', problem: null })
})

test('another id of a model is tested with the stored key, and the list of the endpoint gives near names', async () => {
  const account = await server.registerAccount()
  const { id } = await add(account)
  expect(doors.own.keys).toEqual([])
  const updated = await account.send('PUT', `${path}/${id}`, { model: 'gpt-4oo' })
  expect(updated.body).toMatchObject({ state: 'ready', problem: expect.stringContaining('does not have "gpt-4oo", but "gpt-4o", "gpt-4"') })
  expect(doors.own.keys).toEqual([`Bearer ${key}`])
  expect((await account.send('PUT', `${path}/${id}`, { region: 'EU' })).body.problem).toBe(updated.body.problem)
  expect((await account.send('PUT', `${path}/${id}`, { model: 'gpt-4' })).body).toMatchObject({ state: 'ready', problem: null })
  expect(doors.own.keys).toHaveLength(1)
})
