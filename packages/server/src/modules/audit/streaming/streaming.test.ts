import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { documentOf, greets } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { startS3Server } from '#testing/s3-server.ts'
import { startServerProcess } from '#testing/server-process.ts'
import { hasSwift, startSwiftServer } from '#testing/swift-server.ts'
import { startSyslogReceiver } from '#testing/syslog-receiver.ts'
import { type Received, startWebhookReceiver } from '#testing/webhook-receiver.ts'

const path = '/api/v1/audit/destinations'

/** Events from before it have a leaf, and do not belong to those from now on. */
const create = async (account: TestAccount, target: object, more: object = {}) => {
  await logOf(account)
  const { status, body } = await account.send('POST', path, { name: 'SIEM', target, ...more })
  expect(status).toBe(200)
  return body
}
const read = async (account: TestAccount) => (await account.send('GET', path)).body.data[0]
const makeWorkflow = (account: TestAccount, name: string) =>
  account.send('POST', '/api/v1/workflows', { definition: documentOf(greets, name) })

/** Events of the log in its order, once each has a leaf. */
async function logOf(account: TestAccount) {
  const events = async () => (await account.send('GET', '/api/v1/audit/query?limit=100')).body.data
  await expect.poll(async () => (await events()).every(({ log }: { log: unknown }) => log !== null)).toBe(true)
  return (await events()).toSorted((a: Logged, b: Logged) => a.log.index - b.log.index)
}

interface Logged {
  readonly id: string
  readonly event: string
  readonly log: { readonly date: string; readonly index: number; readonly hash: string }
}

const linesOf = (received: readonly Pick<Received, 'body'>[]): readonly Logged[] =>
  received.flatMap(({ body }) =>
    body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  )
const idsOf = (lines: readonly Logged[]) => lines.map(({ id }) => id)

/** Lets the time of the next attempt come. */
async function hurry({ database }: TestServer) {
  await sql`update audit_destinations set due_at = now(), claimed_until = case when claim is null then null else now() end`.execute(
    database.system,
  )
}

describe('an HTTP destination', () => {
  test('receives every event from a day on in the order of the log, signed, with the hash of its leaf', async () => {
    await using receiver = await startWebhookReceiver()
    await using server = await createTestServer()
    // Two processes stream: each event is sent once.
    await server.startSecond({ MILLRACE_ROLES: 'scheduler' })
    const [account, other] = [await server.registerAccount(), await server.registerAccount()]
    for (let index = 0; index < 3; index++) await makeWorkflow(account, `w${index}`)
    await makeWorkflow(other, 'foreign')
    const from = (await logOf(account))[0].log.date
    const { secret } = await create(account, { kind: 'http', url: receiver.url }, { from })
    await makeWorkflow(account, 'later')
    const log = await logOf(account)
    await expect.poll(() => idsOf(linesOf(receiver.received))).toEqual(idsOf(log))
    for (const { body, headers } of receiver.received) {
      // The library parses JSON, which lines are not; it throws before that if the signature is wrong.
      expect(() => new Webhook(secret).verify(body, headers)).not.toThrow(/signature|timestamp/i)
      expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
    }
    const lines = linesOf(receiver.received)
    const { lines: exported } = (await account.send('GET', `/api/v1/audit/export/${from}`)).body
    const hashes = new Map(
      exported
        .map((line: string) => JSON.parse(line).leaf)
        .map((leaf: { event: string; hash: string; index: number } | undefined) => [leaf?.index, leaf?.hash]),
    )
    expect(lines.map(({ log: { hash } }) => hash)).toEqual(lines.map(({ log: { index } }) => hashes.get(index)))
    expect(lines.map(({ log: { hash: _hash, ...place }, ...event }) => ({ ...event, log: place }))).toEqual(
      log.map(({ changes: _changes, ...event }: { changes: unknown }) => expect.objectContaining(event)),
    )
    expect(await read(account)).toMatchObject({
      state: 'active',
      lastError: null,
      position: { date: from, index: log.at(-1).log.index + 1 },
    })
  })

  test('receives events from now on unless a day is named, and the secret is shown once', async () => {
    await using receiver = await startWebhookReceiver()
    await using server = await createTestServer()
    const account = await server.registerAccount()
    await makeWorkflow(account, 'before')
    await logOf(account)
    const { id, secret } = await create(account, { kind: 'http', url: receiver.url })
    expect(secret).toMatch(/^whsec_/)
    await makeWorkflow(account, 'after')
    const expected = (await logOf(account)).slice(-2)
    await expect.poll(() => linesOf(receiver.received).map(({ event }) => event)).toEqual(['audit_destination.created', 'workflow.created'])
    expect(idsOf(linesOf(receiver.received))).toEqual(idsOf(expected))
    expect(JSON.stringify((await account.send('GET', path)).body)).not.toContain('whsec_')
    const { rows } = await sql<{ row: string }>`select row_to_json(d)::text as row from audit_destinations d`.execute(
      server.database.system,
    )
    expect(rows[0]?.row).not.toContain(Buffer.from(secret.slice(6), 'base64').toString('hex'))
    expect((await account.send('DELETE', `${path}/${id}`)).body).toEqual({ id, deleted: true })
    expect((await account.send('POST', `${path}/${id}/resume`)).status).toBe(404)
  })

  test('gets a batch again after a failure, and nothing after it before that', async () => {
    await using receiver = await startWebhookReceiver((_, number) => ({ status: number < 3 ? 503 : 204 }))
    await using server = await createTestServer()
    const account = await server.registerAccount()
    await create(account, { kind: 'http', url: receiver.url })
    await expect.poll(async () => (await read(account)).lastError).toBe('the endpoint responded 503')
    const { failingSince, nextAttemptAt, position } = await read(account)
    expect(Date.parse(nextAttemptAt) - Date.parse(failingSince)).toBeGreaterThan(3_000)
    await makeWorkflow(account, 'during')
    await logOf(account)
    await hurry(server)
    await expect.poll(() => receiver.received.length).toBe(2)
    expect((await read(account)).position).toEqual(position)
    await expect.poll(async () => (await hurry(server), (await read(account)).lastError)).toBeNull()
    expect(idsOf(linesOf(receiver.received.slice(2)))).toEqual(idsOf((await logOf(account)).slice(-2)))
  })

  test('is paused with a notice after three days of failures, and continues at its position when it is resumed', async () => {
    let status = 500
    await using receiver = await startWebhookReceiver(() => ({ status }))
    await using server = await createTestServer()
    const account = await server.registerAccount()
    const { id } = await create(account, { kind: 'http', url: receiver.url })
    await expect.poll(async () => (await read(account)).failingSince).not.toBeNull()
    await sql`update audit_destinations set failing_since = now() - interval '3 days 1 second'`.execute(server.database.system)
    await hurry(server)
    await expect.poll(async () => (await read(account)).state).toBe('paused')
    expect(await read(account)).toMatchObject({ pausedReason: 'the endpoint responded 500', nextAttemptAt: null })
    const notices = (await account.send('GET', '/api/v1/notifications')).body.data
    expect(notices).toEqual([expect.objectContaining({ kind: 'security.event', title: 'The audit log is no longer sent to "SIEM"' })])
    const before = receiver.received.length
    expect((await account.send('POST', `${path}/${id}/test`)).body).toEqual({ delivered: false, error: 'the endpoint responded 500' })
    status = 204
    expect((await account.send('POST', `${path}/${id}/test`)).body).toEqual({ delivered: true, error: null })
    expect(linesOf(receiver.received.slice(before)).map(({ event }) => event)).toEqual(['audit_destination.test', 'audit_destination.test'])
    expect((await account.send('POST', `${path}/${id}/resume`)).body).toMatchObject({ state: 'active', pausedReason: null })
    await expect
      .poll(() => linesOf(receiver.received.slice(before + 2)).map(({ event }) => event))
      .toEqual(['audit_destination.created', 'audit_destination.tested', 'audit_destination.tested', 'audit_destination.resumed'])
  })

  test('is paused at once by a 410', async () => {
    await using receiver = await startWebhookReceiver(() => ({ status: 410 }))
    await using server = await createTestServer()
    const account = await server.registerAccount()
    await create(account, { kind: 'http', url: receiver.url })
    await expect.poll(async () => (await read(account)).state).toBe('paused')
  })

  test('gets the batch that a kill interrupted again, under the same id, and everything after it once', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    await using receiver = await startWebhookReceiver((_, number) => {
      ask()
      return number === 1 ? new Promise(() => undefined) : { status: 204 }
    })
    const environment = { MILLRACE_SECRET_KEY: 'ab'.repeat(32), MILLRACE_ROLES: 'api' }
    await using server = await createTestServer(environment)
    const account = await server.registerAccount()
    await account.send('POST', path, { name: 'SIEM', target: { kind: 'http', url: receiver.url } })
    await using process = await startServerProcess({ ...environment, DATABASE_URL: server.databaseUrl, MILLRACE_ROLES: 'scheduler' })
    await asked
    await process.kill()
    // The end of the claim, after a minute.
    await hurry(server)
    const second = await server.startSecond({ MILLRACE_ROLES: 'scheduler' })
    await expect.poll(() => receiver.received.length).toBe(2)
    const [interrupted, again] = receiver.received
    expect([again?.headers['webhook-id'], again?.body]).toEqual([interrupted?.headers['webhook-id'], interrupted?.body])
    await expect.poll(async () => (await read(account)).deliveredAt).not.toBeNull()
    await second.close()
    await makeWorkflow(account, 'between')
    await server.startSecond({ MILLRACE_ROLES: 'scheduler' })
    await expect.poll(() => linesOf(receiver.received.slice(2)).map(({ event }) => event)).toEqual(['workflow.created'])
  })
})

describe('a syslog destination', () => {
  test('receives every event in the order of the log, and a reset connection loses none', async () => {
    await using receiver = await startSyslogReceiver({ refuses: (connection) => connection === 2 })
    await using server = await createTestServer()
    const account = await server.registerAccount()
    const from = (await logOf(account))[0].log.date
    const { id, secret } = await create(account, { kind: 'syslog', host: '127.0.0.1', port: receiver.port, tls: false }, { from })
    expect(secret).toBeNull()
    const received = () => receiver.messages.map(({ text }): Logged => JSON.parse(text))
    await expect.poll(() => received().length).toBeGreaterThan(0)
    for (let index = 0; index < 5; index++) await makeWorkflow(account, `w${index}`)
    const log = await logOf(account)
    await expect
      .poll(async () => {
        await hurry(server)
        return idsOf(received())
      })
      .toEqual(idsOf(log))
    expect(receiver.messages.map(({ event }) => event)).toEqual(log.map(({ event }: Logged) => event))
    expect((await account.send('POST', `${path}/${id}/test`)).body).toEqual({ delivered: true, error: null })
    expect(received().at(-1)).toMatchObject({ event: 'audit_destination.test' })
  })
})

describe('a refused destination', () => {
  test('is the eleventh of an account', async () => {
    await using server = await createTestServer({ MILLRACE_ROLES: 'api' })
    const account = await server.registerAccount()
    const body = { name: 'x', target: { kind: 'syslog', host: 'logs.example.com' } }
    const statuses: number[] = []
    for (let count = 0; count < 11; count++) statuses.push((await account.send('POST', path, body)).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 409])
    expect((await read(account)).target).toEqual({ kind: 'syslog', host: 'logs.example.com', port: 6514, tls: true })
  })

  test.each([
    [{ kind: 'http', url: 'ftp://example.com' }, '/target/url'],
    [{ kind: 'http', url: 'https://user:word@example.com/' }, '/target/url'],
    [{ kind: 'http', url: 'http://10.0.0.5/audit' }, '/target/url'],
    [{ kind: 'syslog', host: '192.168.0.1' }, '/target/host'],
    [{ kind: 'syslog', host: 'a b' }, '/target/host'],
    [{ kind: 'syslog', host: 'logs.example.com', ca: 'x' }, '/target/ca'],
  ])('%j names the member %s', async (target, pointer) => {
    await using server = await createTestServer()
    const account = await server.registerAccount()
    const { status, body } = await account.send('POST', path, { name: 'x', target })
    expect([status, body.errors.map((error: { pointer: string }) => error.pointer)]).toEqual([400, [pointer]])
  })

  test('an address of a private network that is not allowed any more is an error of the attempt', async () => {
    await using receiver = await startWebhookReceiver()
    await using server = await createTestServer({ MILLRACE_ROLES: 'api' })
    const account = await server.registerAccount()
    const { id } = (await account.send('POST', path, { name: 'SIEM', target: { kind: 'http', url: receiver.url } })).body
    const guarded = await server.startSecond({ MILLRACE_PRIVATE_NETWORK: '' })
    const headers = { authorization: `Bearer ${account.token}` }
    const response = await fetch(`${guarded.url}${path}/${id}/test`, { method: 'POST', headers })
    expect(await response.json()).toMatchObject({ delivered: false, error: expect.stringContaining('127.0.0.1') })
    expect(receiver.received).toEqual([])
  })

  test('outside of the region receives nothing without consent, and then lines in which personal data is redacted', async () => {
    await using receiver = await startWebhookReceiver()
    await using server = await createTestServer({ MILLRACE_REGION: 'SA', MILLRACE_HOST_REGIONS: '127.0.0.1=US' })
    const account = await server.registerAccount()
    const from = (await logOf(account))[0].log.date
    await account.send('POST', '/api/v1/account/invitations', { email: 'ada.lovelace@example.org', role: 'member' })
    await create(account, { kind: 'http', url: receiver.url }, { from })
    await expect.poll(async () => (await read(account)).lastError).toContain('No consent to transfers')
    expect(receiver.received).toEqual([])
    await account.send('PUT', '/api/v1/account/consents/privacy-preferences', { webhooks: 'redact' })
    await account.send('POST', '/api/v1/account/consents/cross-border', { purposes: ['Monitoring'] })
    const log = await logOf(account)
    expect(JSON.stringify(log)).toContain('ada.lovelace@example.org')
    await hurry(server)
    const received = () => linesOf(receiver.received).map(({ event }) => event)
    await expect.poll(received).toEqual(log.map(({ event }: Logged) => event))
    expect(receiver.received[0]?.body).toContain('<EMAIL>')
    expect(JSON.stringify(receiver.received)).not.toContain('ada.lovelace')
  })
})

describe('an S3 destination', () => {
  const credentials = { region: 'eu-test-1', accessKeyId: 'auditor', secretAccessKey: ['s3', 'secret', '4712'].join('-') }

  test('gets objects by day and number that have every event once, and is not done with one that it cannot read again', async () => {
    await using s3 = await startS3Server('audit', credentials)
    await using server = await createTestServer()
    const account = await server.registerAccount()
    const { secretAccessKey, ...known } = credentials
    const target = { kind: 's3', url: s3.url, bucket: 'audit', prefix: 'log/', ...known }
    const refused = await account.send('POST', path, { name: 'Archive', target })
    expect([refused.status, refused.body.errors?.[0]?.pointer]).toEqual([400, '/secretAccessKey'])
    const from = (await logOf(account))[0].log.date
    await create(account, target, { from, secretAccessKey })
    const position = async () => (await read(account)).position.index
    const arrives = async () => {
      const log = await logOf(account)
      await expect.poll(async () => (await hurry(server), position())).toBe(log.at(-1).log.index + 1)
      return log
    }
    await arrives()
    await makeWorkflow(account, 'later')
    const log = await arrives()
    const objects = [...s3.objects].toSorted(([a], [b]) => (a < b ? -1 : 1))
    expect(objects.length).toBeGreaterThan(1)
    for (const [key] of objects) expect(key).toMatch(new RegExp(String.raw`^log/acct_\w+/${from}/\d{10}\.jsonl$`))
    const lines = objects.flatMap(([, { body }]) => linesOf([{ body: body.toString() }]))
    expect(idsOf(lines)).toEqual(idsOf(log))
    expect(JSON.stringify((await account.send('GET', path)).body)).not.toContain(secretAccessKey)
    // A store that loses what it accepted.
    s3.objects.set = () => s3.objects
    await makeWorkflow(account, 'lost')
    await logOf(account)
    await expect.poll(async () => (await hurry(server), (await read(account)).lastError)).toContain('does not exist')
    expect(await position()).toBe(log.at(-1).log.index + 1)
  })

  test.skipIf(!hasSwift)('of OpenStack Swift receives every event, and a wrong key is a clear error. Needs python3-swift.', async () => {
    const known = { ...credentials, accessKeyId: 'audit:auditor' }
    await using s3 = await startSwiftServer('audit', known)
    await using server = await createTestServer()
    const account = await server.registerAccount()
    const from = (await logOf(account))[0].log.date
    const { secretAccessKey, ...place } = known
    const target = { kind: 's3', url: s3.url, bucket: 'audit', prefix: 'log/', ...place }
    const { id } = await create(account, target, { from, secretAccessKey: 'another' })
    expect((await account.send('POST', `${path}/${id}/test`)).body).toEqual({
      delivered: false,
      error: 'the service refused: SignatureDoesNotMatch (403)',
    })
    await account.send('DELETE', `${path}/${id}`)
    await create(account, target, { from, secretAccessKey })
    await makeWorkflow(account, 'later')
    const log = await logOf(account)
    await expect.poll(async () => (await hurry(server), (await read(account)).position.index)).toBe(log.at(-1).log.index + 1)
    const keys = ((await s3.bucket.listObjects()) ?? []).map(({ Key }) => Key).toSorted()
    const bodies = await Promise.all(keys.map(async (key) => ({ body: (await s3.bucket.getObject(key)) ?? '' })))
    expect(idsOf(linesOf(bodies))).toEqual(idsOf(log))
  })
})
