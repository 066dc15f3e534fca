import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSmtpServer } from '#platform/mail/testing-smtp-server.ts'
import { addMember } from '#testing/approvals.ts'
import { openDatabaseGateway } from '#testing/database-gateway.ts'
import { listenLocally } from '#testing/listen-locally.ts'
import { startHttpStandIn } from '#testing/http-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

const path = '/api/v1/connections'
const token = ['the token', 'of the service 4711'].join(' ')

let server: TestServer
let service: Awaited<ReturnType<typeof startHttpStandIn>>
beforeAll(async () => {
  service = await startHttpStandIn(({ path: asked }) =>
    asked.endsWith('/auth.test')
      ? { status: 200, body: { ok: false, error: 'invalid_auth' } }
      : { status: asked.startsWith('/closed') ? 401 : 200 },
  )
  server = await createTestServer()
})
afterAll(async () => {
  await server.close()
  await service[Symbol.asyncDispose]()
})

const bearer = (more: object = {}) => ({
  name: 'crm',
  settings: { kind: 'bearer', url: `${service.url}/api`, ...more },
  secrets: { token },
})

async function create(account: TestAccount, body: object) {
  const { status, body: connection } = await account.send('POST', path, body)
  expect([status, connection.detail, connection.errors]).toEqual([200, undefined, undefined])
  return connection
}

test('a secret of a connection is in no reply, no audit row, no log line and not readable in the database', async () => {
  const account = await server.registerAccount()
  const made = await create(account, bearer())
  expect(made).toMatchObject({ kind: 'bearer', state: 'ready', secretNames: ['token'], revision: 1 })
  const updated = await account.send('PUT', `${path}/${made.id}`, { secrets: { token } })
  const failing = await create(account, {
    ...bearer({ testPath: '/closed' }),
    name: 'closed',
    settings: bearer({ url: `${service.url}/closed` }).settings,
  })
  expect(failing).toMatchObject({ state: 'failed', problem: expect.stringContaining('401') })
  const replies = [
    made,
    failing,
    updated.body,
    (await account.send('GET', path)).body,
    (await account.send('GET', `${path}/${made.id}`)).body,
  ]
  const { rows } = await sql<{ text: string }>`
    select c::text as text from connections c union all select a::text from audit_events a where a.account_id = ${account.accountId}`.execute(
    server.database.system,
  )
  const everything = [JSON.stringify(replies), server.log.join('\n'), ...rows.map(({ text }) => text)].join('\n')
  expect(rows.length).toBeGreaterThan(2)
  for (const form of [token, Buffer.from(token).toString('hex'), Buffer.from(token).toString('base64')])
    expect(everything.includes(form)).toBe(false)
})

test('a service that answers 200 and "ok": false, as Slack does, fails the test with its reason', async () => {
  const account = await server.registerAccount()
  const made = await create(account, bearer({ testPath: '/auth.test' }))
  expect(made).toMatchObject({ state: 'failed', problem: expect.stringContaining('invalid_auth') })
})

test('a viewer reads connections and changes none, and another account sees none', async () => {
  const account = await server.registerAccount()
  const { id } = await create(account, bearer())
  const viewer = await addMember(server, account, 'viewer')
  expect((await viewer.client.connections.list({})).data).toHaveLength(1)
  await expect(viewer.client.connections.delete({ params: { id } })).rejects.toMatchObject({ status: 403 })
  await expect(viewer.client.connections.test({ params: { id } })).rejects.toMatchObject({ status: 403 })
  const other = await server.registerAccount()
  expect((await other.send('GET', path)).body.data).toEqual([])
  for (const [method, target] of [
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/test'],
    ['POST', '/authorize'],
  ] as const)
    expect([method, (await other.send(method, `${path}/${id}${target}`, method === 'PUT' ? {} : undefined)).status]).toEqual([method, 404])
})

test('kept secrets cannot be sent to another place by a change of the settings', async () => {
  const account = await server.registerAccount()
  const { id } = await create(account, bearer())
  const elsewhere = { kind: 'bearer', url: 'http://evil.example' }
  expect(await account.send('PUT', `${path}/${id}`, { settings: elsewhere })).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '/secrets' }] },
  })
  expect(
    await account.send('PUT', `${path}/${id}`, { settings: { kind: 's3', url: service.url, bucket: 'b', accessKeyId: 'a' } }),
  ).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '/settings/kind' }] },
  })
  const changed = await account.send('PUT', `${path}/${id}`, { name: 'renamed', description: 'Ours.' }, { 'if-match': '"1"' })
  expect(changed).toMatchObject({ status: 200, body: { name: 'renamed', revision: 2, state: 'ready' } })
  expect((await account.send('DELETE', `${path}/${id}`, undefined, { 'if-match': '"1"' })).body.code).toBe('revision_mismatch')
  expect((await account.send('DELETE', `${path}/${id}`)).body).toEqual({ id, deleted: true })
})

test('a connection that is changed while new settings are tested keeps that change, and the late one is refused', async () => {
  const account = await server.registerAccount()
  const { id } = await create(account, bearer())
  const meanwhile: number[] = []
  await using changing = await listenLocally(async (_, outgoing) => {
    if (meanwhile.length === 0) meanwhile.push((await account.send('PUT', `${path}/${id}`, { secrets: { token: 'another one' } })).status)
    outgoing.writeHead(200).end()
  })
  const settings = { kind: 'bearer', url: changing.url }
  const late = await account.send('PUT', `${path}/${id}`, { settings, secrets: { token } })
  expect(meanwhile).toEqual([200])
  expect(late).toMatchObject({ status: 409, body: { code: 'revision_mismatch' } })
  expect((await account.send('GET', `${path}/${id}`)).body).toMatchObject({ settings: { url: `${service.url}/api` }, revision: 2 })
})

test.each<[string, object, string]>([
  ['a secret that is missing', { secrets: {} }, '/secrets/token'],
  ['a secret that the kind does not have', { secrets: { token, other: 'abcd' } }, '/secrets/other'],
  ['a password in the address', { settings: { kind: 'bearer', url: 'https://a:b@api.example.com' } }, '/settings/url'],
  ['a query in the address', { settings: { kind: 'bearer', url: 'https://api.example.com?a=1' } }, '/settings/url'],
  ['an address of another protocol', { settings: { kind: 'bearer', url: 'file:///etc/passwd' } }, '/settings/url'],
  ['a port in the host', { settings: { kind: 'imap', host: 'mail.example.com:993', username: 'ada' } }, '/settings/host'],
  ['a name with capitals', { name: 'CRM' }, '/name'],
  ['an unknown kind', { settings: { kind: 'magic' } }, '/settings/kind'],
])('%s is refused with its place and without the secret', async (_what, more, pointer) => {
  const account = await server.registerAccount()
  const { status, body } = await account.send('POST', path, { ...bearer(), ...more })
  expect([status, body.errors?.[0]?.pointer]).toEqual([400, pointer])
  expect(JSON.stringify(body)).not.toContain(token)
})

test('a name is used once in an account, also in a race', async () => {
  const account = await server.registerAccount()
  const made = await Promise.all([1, 2, 3].map(() => account.send('POST', path, bearer())))
  expect(made.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409])
})

describe('a test of a connection', () => {
  test('reaches a mail server, and reports wrong credentials', async () => {
    await using smtp = await startSmtpServer({
      onAuth: ({ username, password }, _session, callback) =>
        username === 'ada' && password === 'right pass' ? callback(null, { user: 'ada' }) : callback(new Error('No')),
    })
    const account = await server.registerAccount()
    const settings = { kind: 'smtp', host: '127.0.0.1', port: smtp.port, encrypted: false, username: 'ada', from: 'Ada <ada@example.com>' }
    const { id, state } = await create(account, { name: 'mail', settings, secrets: { password: 'right pass' } })
    expect(state).toBe('ready')
    await account.send('PUT', `${path}/${id}`, { secrets: { password: 'wrong pass' } })
    const { body } = await account.send('POST', `${path}/${id}/test`)
    expect(body).toMatchObject({ state: 'failed', problem: expect.stringMatching(/user and password/) })
  })

  test('reaches a database, and reports wrong credentials and a missing server', async () => {
    await using database = await openDatabaseGateway(server.databaseUrl)
    const account = await server.registerAccount()
    const { settings, secrets } = database
    expect(await create(account, { name: 'db', settings, secrets })).toMatchObject({ state: 'ready', problem: null })
    expect(await create(account, { name: 'no', settings: { ...settings, database: 'missing' }, secrets })).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('missing'),
    })
    expect(await create(account, { name: 'wrong', settings, secrets: { password: 'another one' } })).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('password'),
    })
    expect(await create(account, { name: 'gone', settings: { ...settings, port: 9 }, secrets })).toMatchObject({ state: 'failed' })
  })

  test('does not reach addresses that workflows may not reach', async () => {
    const account = await server.registerAccount()
    const database = { kind: 'database', engine: 'mysql', host: '169.254.169.254', database: 'a', username: 'a' }
    for (const settings of [
      { kind: 'bearer', url: 'http://169.254.169.254/latest' },
      { kind: 'smtp', host: '10.255.255.1', from: 'a@example.com' },
      { kind: 'imap', host: '192.168.1.1', username: 'a' },
      database,
      { ...database, engine: 'postgresql' },
      { kind: 's3', url: 'http://10.0.0.1', bucket: 'b', accessKeyId: 'a' },
    ]) {
      const secret = { bearer: 'token', s3: 'secretAccessKey' }[settings.kind] ?? 'password'
      const secrets = settings.kind === 'smtp' ? {} : { [secret]: token }
      const made = await create(account, { name: `${settings.kind}-${'engine' in settings ? settings.engine : ''}x`, settings, secrets })
      expect([settings.kind, made.state, made.problem]).toEqual([settings.kind, 'failed', expect.stringContaining('workflows may reach')])
    }
  })
})

test('administrators are notified once of a connection that expires within a week', async () => {
  const { notifyExpiry } = await import('./notify-expiry.ts')
  const account = await server.registerAccount()
  const day = 24 * 60 * 60 * 1000
  await create(account, { ...bearer(), name: 'soon', expiresAt: new Date(Date.now() + 3 * day).toISOString() })
  await create(account, { ...bearer(), name: 'later', expiresAt: new Date(Date.now() + 30 * day).toISOString() })
  const titles = async () => {
    await notifyExpiry(server.database.system, Date.now())
    return (await account.send('GET', '/api/v1/notifications')).body.data.map(({ title, count }: { title: string; count: number }) => [
      title,
      count,
    ])
  }
  expect(await titles()).toEqual([['The connection soon expires soon', 1]])
  expect(await titles()).toEqual([['The connection soon expires soon', 1]])
})
