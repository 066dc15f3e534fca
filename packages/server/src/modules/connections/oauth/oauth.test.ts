import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createConnectionAccess } from '#modules/connections/connection-access.ts'
import type { Http } from '#modules/connections/authorised-port.ts'
import { createConnectionSecrets } from '#modules/connections/connection-secrets.ts'
import { findConnection } from '#modules/connections/connection-store.ts'
import { createConnectionPauses } from '#modules/triggers/index.ts'
import { workflowsWithConnection } from '#modules/workflows/index.ts'
import { createSealing } from '#platform/sealing/sealing.ts'
import { createGuardedFetch } from '#platform/net/guarded-fetch.ts'
import { idOf } from '#platform/ids.ts'
import { documentOf, greets } from '#testing/definitions.ts'
import { addMember } from '#testing/approvals.ts'
import { startHttpStandIn } from '#testing/http-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { followAuthorization, startMockProvider } from '#testing/sign-in/mock-provider.ts'
import { createTokenSource } from './token-source.ts'

const path = '/api/v1/connections'
const secretKey = Buffer.alloc(32, 7)
const root = { version: 1, secret: secretKey }
const box = createConnectionSecrets(createSealing({ roots: { current: async () => root, of: async () => root }, randomBytes }))

let server: TestServer
let provider: Awaited<ReturnType<typeof startMockProvider>>
let service: Awaited<ReturnType<typeof startHttpStandIn>>
/** Grants that the provider was asked for, in order. */
const grants: Record<string, unknown>[] = []
/** What the service answers to its test path and to all else. */
const refusing = { status: 200 }
const answers: { next: object | undefined; status: number } = { next: undefined, status: 200 }

beforeAll(async () => {
  provider = await startMockProvider()
  provider.server.service.on(
    'beforeResponse',
    (response: { body: object; statusCode: number }, request: { body: Record<string, unknown> }) => {
      grants.push(request.body)
      response.statusCode = answers.status
      response.body = answers.next ?? {
        ...response.body,
        access_token: `token number ${grants.length}`,
        refresh_token: `refresh ${grants.length}`,
      }
    },
  )
  service = await startHttpStandIn(() => ({ status: refusing.status }))
  server = await createTestServer({ MILLRACE_SECRET_KEY: Buffer.from(secretKey).toString('base64') })
})
afterAll(async () => {
  await server.close()
  await provider[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

const settings = (more: object = {}) => ({
  kind: 'oauth2',
  grant: 'authorization_code',
  url: service.url,
  tokenUrl: `${provider.issuer}/token`,
  authorizationUrl: `${provider.issuer}/authorize`,
  clientId: 'millrace',
  clientAuthentication: 'post',
  scopes: ['contacts'],
  ...more,
})

async function create(account: TestAccount, body: object = {}) {
  const made = await account.send('POST', path, {
    name: 'crm',
    settings: settings(),
    secrets: { clientSecret: 'secret of the client' },
    ...body,
  })
  expect(made.status).toBe(200)
  return made.body
}

async function authorize(account: TestAccount, id: string) {
  const { body } = await account.send('POST', `${path}/${id}/authorize`)
  const { state, code } = await followAuthorization(body.authorizationUrl)
  return { body, answer: { state, code } }
}

/** Ends the token of a connection, so that the next use renews it. */
async function endToken({ accountId }: TestAccount, id: string): Promise<void> {
  const { database } = server
  const row = idOf('conn', id)
  await database.account(accountId, async (tx) => {
    const found = await findConnection(tx, accountId, { id: row })
    const tokens = await box.openTokens(tx, accountId, row, found?.tokens ?? Buffer.alloc(0))
    const sealed = await box.seal(tx, accountId, row, 'tokens', { ...tokens, expiresAtMs: Date.now() })
    await sql`update connections set tokens = ${sealed} where id = ${row}`.execute(tx)
  })
}

async function createAuthorized(account: TestAccount, body: object = {}) {
  const { id } = await create(account, body)
  const { answer } = await authorize(account, id)
  await account.send('POST', '/api/v1/connection-authorizations', answer)
  return { id, key: { id: idOf('conn', id) } }
}

/** A token endpoint whose answers the test decides. */
function slowEndpoint() {
  const pending: ((reply: object) => void)[] = []
  const http: Http = {
    request: () =>
      new Promise((resolve) =>
        pending.push((reply) =>
          resolve({ status: 'error' in reply ? 400 : 200, headers: {}, url: '', body: Buffer.from(JSON.stringify(reply)) }),
        ),
      ),
  }
  return { http, pending }
}

/** A process of its own, by what it shares with the server: the database. */
const pauses = createConnectionPauses({ now: Date.now, workflowsWithConnection })

function processOf(now = Date.now) {
  const http = createGuardedFetch({ allow: ['127.0.0.0/8'] })
  return { http, ...partsOf(http, now) }
}

function partsOf(http: Http, now = Date.now) {
  const { database } = server
  const tokens = createTokenSource({ database, secrets: box, http, now, onRevoked: pauses.pause })
  return { tokens, access: createConnectionAccess({ database, secrets: box, tokens }) }
}

test('a person consents by code, state and PKCE, and the connection is ready', async () => {
  const account = await server.registerAccount()
  const { id, state } = await create(account)
  expect(state).toBe('unauthorized')
  const { body, answer } = await authorize(account, id)
  const url = new URL(body.authorizationUrl)
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: 'code',
    scope: 'contacts',
    code_challenge_method: 'S256',
    redirect_uri: body.redirectUri,
  })
  const done = await account.send('POST', '/api/v1/connection-authorizations', answer)
  expect(done).toMatchObject({ status: 200, body: { id, state: 'ready', problem: null } })
  expect(grants.at(-1)).toMatchObject({
    grant_type: 'authorization_code',
    redirect_uri: body.redirectUri,
    client_secret: 'secret of the client',
  })
  expect(String(grants.at(-1)?.['code_verifier'])).toHaveLength(43)
  expect((await account.send('POST', '/api/v1/connection-authorizations', answer)).body.code).toBe('conflict')
})

test('only the user who began an authorization completes it', async () => {
  const account = await server.registerAccount()
  const { id } = await create(account)
  const { answer } = await authorize(account, id)
  const colleague = await addMember(server, account)
  const other = await server.registerAccount()
  await expect(
    colleague.client.connections.complete({ body: { state: answer.state ?? '', code: answer.code ?? '' } }),
  ).rejects.toMatchObject({ status: 409 })
  expect((await other.send('POST', '/api/v1/connection-authorizations', answer)).status).toBe(409)
  expect((await account.send('POST', '/api/v1/connection-authorizations', answer)).status).toBe(200)
})

test('a refresh raced by 20 tasks in two processes makes one request', async () => {
  const account = await server.registerAccount()
  const { id } = await create(account)
  const { answer } = await authorize(account, id)
  await account.send('POST', '/api/v1/connection-authorizations', answer)
  const [one, two] = [processOf(), processOf()]
  const key = { id: idOf('conn', id) }
  const { accessToken: old } = await one.access.open(account.accountId, key)
  const before = grants.length
  const opened = await Promise.all(
    Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : two).access.open(account.accountId, key, old)),
  )
  expect(grants.slice(before)).toMatchObject([{ grant_type: 'refresh_token', refresh_token: `refresh ${before}` }])
  expect(new Set(opened.map(({ accessToken }) => accessToken))).toEqual(new Set([`token number ${before + 1}`]))
  await Promise.all([one, two].map(({ http }) => http.close()))
})

test('after a revoked grant a connection makes no request until it is authorized again, and administrators are notified', async () => {
  const account = await server.registerAccount()
  const { id } = await create(account)
  const { answer } = await authorize(account, id)
  await account.send('POST', '/api/v1/connection-authorizations', answer)
  const { access, http } = processOf()
  const key = { id: idOf('conn', id) }
  const { accessToken } = await access.open(account.accountId, key)
  Object.assign(answers, { next: { error: 'invalid_grant', error_description: 'withdrawn' }, status: 400 })
  try {
    await expect(access.open(account.accountId, key, accessToken)).rejects.toMatchObject({
      data: { detail: expect.stringContaining('withdrawn') },
    })
    const before = grants.length
    await expect(access.open(account.accountId, key, accessToken)).rejects.toMatchObject({ data: { status: 401 } })
    expect(grants).toHaveLength(before)
  } finally {
    Object.assign(answers, { next: undefined, status: 200 })
  }
  expect((await account.send('GET', `${path}/${id}`)).body).toMatchObject({
    state: 'unauthorized',
    problem: expect.stringContaining('withdrawn'),
  })
  expect((await account.send('GET', '/api/v1/notifications')).body.data).toMatchObject([{ kind: 'connection.failed' }])
  const again = await authorize(account, id)
  expect((await account.send('POST', '/api/v1/connection-authorizations', again.answer)).body.state).toBe('ready')
  await http.close()
})

test('a revoked grant pauses the schedules and watches of workflows that use the connection, until it is authorized again', async () => {
  const account = await server.registerAccount()
  const { id } = await create(account)
  const { answer } = await authorize(account, id)
  await account.send('POST', '/api/v1/connection-authorizations', answer)
  const workflow = async (body: string) => (await account.client.workflows.create({ body: { definition: documentOf(body) } })).id
  const using = await workflow('do:\n  - ask: { call: postgres.query, with: { connection: crm, statement: select 1 } }\n')
  const other = await workflow(greets)
  const triggerOf = async (workflowId: string, more: object) =>
    (await account.send('POST', '/api/v1/triggers', { workflowId, name: 'nightly', ...more })).body.id
  const nightly = { kind: 'schedule', schedule: { cron: '0 3 * * *' } }
  const watching = await triggerOf(using, { kind: 'watch', watch: { source: 'feed', url: `${service.url}/feed` } })
  const paused = await triggerOf(using, nightly)
  const running = [await triggerOf(other, nightly), await triggerOf(using, { kind: 'webhook', webhook: {} })]
  const disabled = await triggerOf(using, nightly)
  expect((await account.send('PATCH', `/api/v1/triggers/${disabled}/toggle`, { enabled: false })).body).toMatchObject({ enabled: false })
  const read = async (trigger: string) => (await account.send('GET', `/api/v1/triggers/${trigger}`)).body

  const { access, http } = processOf()
  const key = { id: idOf('conn', id) }
  const { accessToken } = await access.open(account.accountId, key)
  Object.assign(answers, { next: { error: 'invalid_grant' }, status: 400 })
  await access.open(account.accountId, key, accessToken).catch(() => undefined)
  Object.assign(answers, { next: undefined, status: 200 })
  await http.close()

  for (const trigger of [paused, watching])
    expect(await read(trigger)).toMatchObject({
      enabled: false,
      pausedReason: expect.stringContaining('"crm" has to be authorized again'),
    })
  for (const trigger of running) expect(await read(trigger)).toMatchObject({ enabled: true, pausedReason: null })
  const { data } = (await account.send('GET', '/api/v1/notifications')).body
  expect(data[0].body).toContain('2 triggers are paused')

  const again = await authorize(account, id)
  await account.send('POST', '/api/v1/connection-authorizations', again.answer)
  expect(await read(paused)).toMatchObject({ enabled: true, pausedReason: null, schedule: { nextAt: expect.any(String) } })
  expect(await read(watching)).toMatchObject({ enabled: true, pausedReason: null })
  expect(await read(disabled)).toMatchObject({ enabled: false })
})

test('client credentials are tried when the connection is saved, and a refusal is reported', async () => {
  const account = await server.registerAccount()
  const machine = settings({ grant: 'client_credentials', clientAuthentication: 'basic' })
  expect(await create(account, { settings: machine })).toMatchObject({ state: 'ready' })
  expect(grants.at(-1)).toMatchObject({ grant_type: 'client_credentials', scope: 'contacts' })
  Object.assign(answers, { next: { error: 'invalid_client' }, status: 401 })
  const refused = await create(account, { name: 'refused', settings: machine })
  Object.assign(answers, { next: undefined, status: 200 })
  expect(refused).toMatchObject({ state: 'failed', problem: expect.stringContaining('invalid_client') })
})

test.each(['authorization_code', 'client_credentials'])(
  'a test during a failure of the token endpoint does not disable a connection with the grant %s',
  async (grant) => {
    const account = await server.registerAccount()
    const { id } = await create(account, { settings: settings({ grant }) })
    if (grant === 'authorization_code') {
      const { answer } = await authorize(account, id)
      await account.send('POST', '/api/v1/connection-authorizations', answer)
    }
    const { access, http } = processOf()
    const key = { id: idOf('conn', id) }
    await access.open(account.accountId, key)
    await endToken(account, id)
    // The second one would end the grant of a person.
    const next = grant === 'authorization_code' ? { message: 'overloaded' } : { error: 'invalid_grant' }
    Object.assign(answers, { next, status: 503 })
    const tested = await account.send('POST', `${path}/${id}/test`)
    Object.assign(answers, { next: undefined, status: 200 })
    expect(tested.body).toMatchObject({ state: 'failed', problem: expect.stringContaining('token endpoint') })
    const opened = () => access.open(account.accountId, key).catch(() => undefined)
    await expect.poll(opened).toMatchObject({ accessToken: expect.any(String) })
    expect((await account.send('GET', `${path}/${id}`)).body).toMatchObject({ state: 'ready', problem: null })
    await http.close()
  },
)

test('client credentials that an earlier version marked as unauthorized work again', async () => {
  const account = await server.registerAccount()
  const { id } = await create(account, { settings: settings({ grant: 'client_credentials' }) })
  await sql`update connections set state = 'unauthorized' where id = ${idOf('conn', id)}`.execute(server.database.system)
  expect((await account.send('POST', `${path}/${id}/test`)).body).toMatchObject({ state: 'ready' })
})

test('a slow token endpoint keeps no transaction open, and one account has four requests under way', async () => {
  const account = await server.registerAccount()
  const keys = []
  for (const number of [1, 2, 3, 4, 5, 6]) {
    const { id, key } = await createAuthorized(account, { name: `crm-${number}` })
    await endToken(account, id)
    keys.push(key)
  }
  const { http, pending } = slowEndpoint()
  const { access } = partsOf(http)
  const opened = Promise.all(keys.map((key) => access.open(account.accountId, key)))
  await expect.poll(() => pending.length).toBe(4)
  const ids = keys.map(({ id }) => id)
  const { rows } = await sql`select id from connections where id = any(${ids}::uuid[]) for update nowait`.execute(server.database.system)
  expect(rows).toHaveLength(6)
  expect(pending).toHaveLength(4)
  for (const index of keys.keys()) {
    await expect.poll(() => pending.length).toBeGreaterThan(index)
    pending[index]?.({ access_token: `slow ${index}` })
  }
  expect(new Set((await opened).map(({ accessToken }) => accessToken)).size).toBe(6)
})

test('a renewal of a process that died is made by another one after the lease has ended', async () => {
  const account = await server.registerAccount()
  const { id, key } = await createAuthorized(account)
  await endToken(account, id)
  const { database } = server
  const dying = slowEndpoint()
  void partsOf(dying.http).access.open(account.accountId, key)
  await expect.poll(() => dying.pending.length).toBe(1)
  // Half of a minute is too long for a test.
  const { rows } = await sql<{ ends: Date }>`
    update connections set renewal_until = renewal_until - interval '28 seconds' where id = ${key.id} returning renewal_until as ends`.execute(
    database.system,
  )
  const { http, pending } = slowEndpoint()
  const opened = partsOf(http).access.open(account.accountId, key)
  await expect.poll(() => pending.length).toBe(1)
  expect(Date.now()).toBeGreaterThanOrEqual(rows[0]?.ends.getTime() ?? Infinity)
  pending[0]?.({ access_token: 'of the other' })
  expect((await opened).accessToken).toBe('of the other')
})

test('after a failed renewal no task of any process asks again at once', async () => {
  const account = await server.registerAccount()
  const { id, key } = await createAuthorized(account)
  await endToken(account, id)
  const { http, pending } = slowEndpoint()
  const first = partsOf(http).access.open(account.accountId, key)
  await expect.poll(() => pending.length).toBe(1)
  pending[0]?.({ error: 'temporarily_unavailable' })
  await expect(first).rejects.toMatchObject({ data: { detail: expect.stringContaining('temporarily_unavailable') } })
  const later = (change: string) =>
    sql`update connections set renewal_after = clock_timestamp() + ${change}::interval where id = ${key.id}`.execute(server.database.system)
  await later('1 minute')
  const { access } = partsOf(http)
  for (const _ of [1, 2, 3])
    await expect(access.open(account.accountId, key)).rejects.toMatchObject({
      data: { detail: expect.stringContaining('temporarily_unavailable') },
    })
  expect(pending).toHaveLength(1)
  await later('-1 minute')
  const opened = access.open(account.accountId, key)
  await expect.poll(() => pending.length).toBe(2)
  pending[1]?.({ access_token: 'at last' })
  expect((await opened).accessToken).toBe('at last')
})

test('a consent during a renewal stays, also when the old grant is refused', async () => {
  const account = await server.registerAccount()
  const { id, key } = await createAuthorized(account)
  await endToken(account, id)
  const { http, pending } = slowEndpoint()
  const opened = partsOf(http).access.open(account.accountId, key)
  await expect.poll(() => pending.length).toBe(1)
  const again = await authorize(account, id)
  await account.send('POST', '/api/v1/connection-authorizations', again.answer)
  pending[0]?.({ error: 'invalid_grant' })
  expect((await opened).accessToken).toBe(`token number ${grants.length}`)
  expect((await account.send('GET', `${path}/${id}`)).body).toMatchObject({ state: 'ready' })
})

test('a 401 of one path does not disable a connection without refresh tokens, and its test path does', async () => {
  const account = await server.registerAccount()
  Object.assign(answers, { next: { access_token: 'lasting', token_type: 'Bearer' } })
  const { id, key } = await createAuthorized(account, { settings: settings({ testPath: '/me' }) })
  Object.assign(answers, { next: undefined })
  const clock = { ms: Date.now() }
  const { access, http } = processOf(() => clock.ms)
  expect((await access.open(account.accountId, key, 'lasting')).accessToken).toBe('lasting')
  expect(service.requests.at(-1)).toMatchObject({ path: '/me' })
  expect((await account.send('GET', `${path}/${id}`)).body).toMatchObject({ state: 'ready' })
  refusing.status = 401
  clock.ms += 61_000
  const refused = await access.open(account.accountId, key, 'lasting').catch((error: unknown) => error)
  refusing.status = 200
  expect(refused).toMatchObject({ data: { status: 401 } })
  expect((await account.send('GET', `${path}/${id}`)).body).toMatchObject({ state: 'unauthorized' })
  await http.close()
})

test('without a test path, only refusals over a minute without a success disable a connection without refresh tokens', async () => {
  const account = await server.registerAccount()
  Object.assign(answers, { next: { access_token: 'lasting', token_type: 'Bearer' } })
  const { key } = await createAuthorized(account)
  Object.assign(answers, { next: undefined })
  const clock = { ms: Date.now() }
  const { access, http } = processOf(() => clock.ms)
  const refuse = () => access.open(account.accountId, key, 'lasting').then(({ accessToken }) => accessToken)
  for (const _ of [1, 2, 3, 4]) expect(await refuse()).toBe('lasting')
  clock.ms += 61_000
  access.accept(key.id)
  for (const _ of [1, 2, 3, 4]) expect(await refuse()).toBe('lasting')
  clock.ms += 61_000
  await expect(refuse()).rejects.toMatchObject({ data: { status: 401 } })
  await http.close()
})
