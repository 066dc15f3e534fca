import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { idOf } from '#platform/ids.ts'
import { documentOf, greets } from '#testing/definitions.ts'
import { path, startOauthStage } from './testing/oauth-stage.ts'

let stage: Awaited<ReturnType<typeof startOauthStage>>
beforeAll(async () => {
  stage = await startOauthStage()
})
afterAll(() => stage.close())

test('a refresh raced by 20 tasks in two processes makes one request', async () => {
  const { server, grants, create, authorize, processOf } = stage
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
  const { server, grants, answers, create, authorize, processOf } = stage
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
  const { server, service, answers, create, authorize, processOf } = stage
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
  const { server, grants, answers, settings, create } = stage
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
    const { server, answers, settings, create, authorize, endToken, processOf } = stage
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
  const { server, settings, create } = stage
  const account = await server.registerAccount()
  const { id } = await create(account, { settings: settings({ grant: 'client_credentials' }) })
  await sql`update connections set state = 'unauthorized' where id = ${idOf('conn', id)}`.execute(server.database.system)
  expect((await account.send('POST', `${path}/${id}/test`)).body).toMatchObject({ state: 'ready' })
})

test('a slow token endpoint keeps no transaction open, and one account has four requests under way', async () => {
  const { server, endToken, createAuthorized, slowEndpoint, partsOf } = stage
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
  const { server, endToken, createAuthorized, slowEndpoint, partsOf } = stage
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
  const { server, endToken, createAuthorized, slowEndpoint, partsOf } = stage
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
  const { server, grants, authorize, endToken, createAuthorized, slowEndpoint, partsOf } = stage
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
  const { server, service, refusing, answers, settings, createAuthorized, processOf } = stage
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
  const { server, answers, createAuthorized, processOf } = stage
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
