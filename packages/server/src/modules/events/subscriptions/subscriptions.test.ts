import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { startWebhookReceiver } from '#testing/webhook-receiver.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const path = '/api/v1/events/subscriptions'
const wanted = { name: 'Orders', url: 'https://example.com/hook', types: ['com.example.order.*'] }
const create = (account: TestAccount, more: object = {}) => account.send('POST', path, { ...wanted, ...more })

test('a subscription can be created, read, listed, changed and deleted', async () => {
  const account = await server.registerAccount()
  const made = await create(account)
  expect([made.status, made.headers.get('etag')]).toEqual([200, '"1"'])
  const { secret, ...shown } = made.body
  expect(shown).toMatchObject({ ...wanted, enabled: true, disabledReason: null, failingSince: null, revision: 1 })
  expect(made.headers.get('location')).toBe(`${path}/${shown.id}`)
  const read = await account.send('GET', `${path}/${shown.id}`)
  expect([read.body, read.headers.get('etag')]).toEqual([shown, '"1"'])
  const second = (await create(account, { name: 'Second' })).body
  const { body: page } = await account.send('GET', `${path}?limit=1`)
  expect(page.data.map(({ id }: { id: string }) => id)).toEqual([second.id])
  expect((await account.send('GET', `${path}?limit=1&cursor=${page.nextCursor}`)).body).toEqual({ data: [shown], nextCursor: null })
  const changed = await account.send('PUT', `${path}/${shown.id}`, { name: 'Others', types: ['a', 'b', 'a'] })
  expect(changed.body).toMatchObject({ name: 'Others', url: wanted.url, types: ['a', 'b'], revision: 2 })
  expect((await account.send('DELETE', `${path}/${shown.id}`)).body).toEqual({ id: shown.id, deleted: true })
  expect((await account.send('GET', `${path}/${shown.id}`)).status).toBe(404)
  expect(secret).toMatch(/^whsec_/)
})

describe('a change', () => {
  test('a change or deletion of an outdated revision is refused', async () => {
    const account = await server.registerAccount()
    const { id } = (await create(account)).body
    expect((await account.send('PUT', `${path}/${id}`, { name: 'A' }, { 'if-match': '"1"' })).status).toBe(200)
    const late = await account.send('PUT', `${path}/${id}`, { name: 'B' }, { 'if-match': '"1"' })
    expect(late.body).toMatchObject({ status: 409, code: 'revision_mismatch', detail: expect.stringContaining('revision 2') })
    expect((await account.send('DELETE', `${path}/${id}`, undefined, { 'if-match': '"1"' })).body.code).toBe('revision_mismatch')
    expect((await account.send('GET', `${path}/${id}`)).body).toMatchObject({ name: 'A', revision: 2 })
  })

  test('an update without a change keeps the revision', async () => {
    const account = await server.registerAccount()
    const { id } = (await create(account)).body
    expect((await account.send('PUT', `${path}/${id}`, wanted)).body.revision).toBe(1)
    expect((await account.send('PUT', `${path}/${id}`, {})).body.revision).toBe(1)
  })
})

describe('a subscription is refused', () => {
  test.each([
    ['for an invalid URL', { url: 'nowhere' }, '/url'],
    ['for another protocol', { url: 'ftp://example.com/' }, '/url'],
    ['for a password in its address', { url: 'https://a:b@example.com/' }, '/url'],
    ['for a private address', { url: 'http://10.0.0.5/hook' }, '/url'],
    ['for no types', { types: [] }, '/types'],
    ['for a * that is not at the end', { types: ['com.*.order'] }, '/types/0'],
    ['for a type that is empty', { types: [''] }, '/types/0'],
    ['for a name that is empty', { name: ' ' }, '/name'],
    ['for what is not known', { secret: 'mine' }, '/secret'],
  ])('%s', async (_, more, pointer) => {
    const account = await server.registerAccount()
    expect((await create(account, more)).body).toMatchObject({ status: 400, code: 'request_invalid', errors: [{ pointer }] })
  })

  test('a subscription above the limit is refused, also under concurrent requests', async () => {
    const account = await server.registerAccount()
    await sql`insert into event_subscriptions (id, account_id, name, url, types, enabled, secret, revision, created_at, created_by, updated_at, updated_by)
      select millrace_uuid_v7(), ${account.accountId}, 'x', 'https://example.com', '{a}', true, '\\x00', 1, now(), 'x', now(), 'x'
      from generate_series(1, 99)`.execute(server.database.system)
    const answers = await Promise.all([create(account), create(account)])
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409'])
  })
})

describe('the secret', () => {
  test('a secret is returned once and stored sealed', async () => {
    const account = await server.registerAccount()
    const { id, secret } = (await create(account)).body
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32)
    const answers = await Promise.all([account.send('GET', path), account.send('GET', `${path}/${id}`)])
    for (const { body } of answers) expect(JSON.stringify(body)).not.toContain('whsec_')
    const { rows } = await sql<{ secret: Buffer }>`select secret from event_subscriptions where account_id = ${account.accountId}`.execute(
      server.database.system,
    )
    expect(rows[0]?.secret.includes(Buffer.from(secret.slice('whsec_'.length), 'base64'))).toBe(false)
  })

  test('after a rotation both secrets sign until the overlap is over', async () => {
    await using receiver = await startWebhookReceiver()
    const account = await server.registerAccount()
    const { id, secret: old } = (await create(account, { url: receiver.url })).body
    const verifies = async (secret: string) => {
      await account.send('POST', `${path}/${id}/test`)
      const request = receiver.received.at(-1)
      try {
        new Webhook(secret).verify(request?.body ?? '', request?.headers ?? {})
        return true
      } catch {
        return false
      }
    }
    const rotated = await account.send('POST', `${path}/${id}/rotate`, { overlap: 'PT1H' })
    expect(rotated.body).toMatchObject({ id, revision: 2, secret: expect.stringMatching(/^whsec_/) })
    const { secret: fresh } = rotated.body
    expect([fresh === old, await verifies(old), await verifies(fresh)]).toEqual([false, true, true])
    await sql`update event_subscriptions set previous_secret_until = now() where account_id = ${account.accountId}`.execute(
      server.database.system,
    )
    expect([await verifies(old), await verifies(fresh)]).toEqual([false, true])
    const atOnce = (await account.send('POST', `${path}/${id}/rotate`, { overlap: 'PT0S' })).body.secret
    expect([await verifies(fresh), await verifies(atOnce)]).toEqual([false, true])
    for (const overlap of ['P8D', 'P99999999999999D']) {
      const tooLong = await account.send('POST', `${path}/${id}/rotate`, { overlap })
      expect(tooLong.body).toMatchObject({ status: 400, errors: [{ pointer: '/overlap' }] })
    }
  })
})

describe('a test', () => {
  test('a test event is sent at once and signed, and its outcome is returned and listed', async () => {
    await using receiver = await startWebhookReceiver((_, number) => ({ status: number === 1 ? 200 : 500 }))
    const account = await server.registerAccount()
    const { id, secret } = (await create(account, { url: receiver.url, enabled: false })).body
    const good = await account.send('POST', `${path}/${id}/test`)
    expect(good.body).toMatchObject({ state: 'delivered', eventId: null, attempts: [{ number: 1, status: 200, error: null }] })
    const [request] = receiver.received
    expect(new Webhook(secret).verify(request?.body ?? '', request?.headers ?? {})).toMatchObject({
      type: 'io.millrace.subscription.test',
      source: `/subscriptions/${id}`,
    })
    expect(request?.headers['webhook-id']).toBe(good.body.id)
    const bad = await account.send('POST', `${path}/${id}/test`)
    expect(bad.body).toMatchObject({ state: 'failed', attempts: [{ number: 1, status: 500, error: 'the endpoint responded 500' }] })
    const { body } = await account.send('GET', `${path}/${id}/deliveries`)
    expect(body.data).toEqual([bad.body, good.body])
    // It is sent once, and has no dead letter.
    expect(receiver.received).toHaveLength(2)
    expect((await account.send('GET', '/api/v1/queue/dead-letter')).body.data).toEqual([])
  })

  test('every operation on a subscription of another account is a 404', async () => {
    const [one, other] = [await server.registerAccount(), await server.registerAccount()]
    const { id } = (await create(one)).body
    const requests = [
      other.send('POST', `${path}/${id}/test`),
      other.send('POST', `${path}/${id}/rotate`, {}),
      other.send('PUT', `${path}/${id}`, { name: 'mine' }),
      other.send('GET', `${path}/${id}/deliveries`),
    ]
    expect((await Promise.all(requests)).map(({ status }) => status)).toEqual([404, 404, 404, 404])
  })
})
