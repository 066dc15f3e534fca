import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentOf } from '#testing/definitions.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const path = '/api/v1/events'
const structured = { 'content-type': 'application/cloudevents+json' }
const batched = { 'content-type': 'application/cloudevents-batch+json' }
let ids = 0
const eventOf = (more: object = {}) => ({ specversion: '1.0', id: `e${++ids}`, source: '/shop', type: 'com.example.order', ...more })

async function newest(account: TestAccount) {
  const { body } = await account.send('GET', `${path}?limit=1`)
  return (await account.send('GET', `${path}/${body.data[0].id}`)).body
}

describe('an event is published', () => {
  test.each([
    ['structured', (event: object) => [JSON.stringify(event), structured] as const],
    ['batched', (event: object) => [JSON.stringify([event]), batched] as const],
    ['as plain JSON', (event: object) => [JSON.stringify(event), {}] as const],
    ['as the member of plain JSON', (event: object) => [JSON.stringify({ events: [event] }), {}] as const],
  ])('%s, and kept whole', async (_, form) => {
    const account = await server.registerAccount()
    const event = eventOf({ subject: 'a', traceparent: '00-1', time: '2026-01-31T09:30:00+02:00', data: { note: 'Grüße', n: 1.5 } })
    const [body, headers] = form(event)
    expect((await account.send('POST', path, body, headers)).body).toEqual({ accepted: 1, duplicates: 0 })
    const kept = await newest(account)
    expect(kept).toMatchObject({ eventId: event.id, source: '/shop', type: 'com.example.order' })
    expect(kept.event).toEqual({ ...event, datacontenttype: 'application/json' })
    expect(Date.parse(kept.expiresAt) - Date.parse(kept.receivedAt)).toBe(7 * 24 * 3_600_000)
  })

  test.each([
    ['JSON', 'application/json', '{"a":1}', { data: { a: 1 } }],
    ['text', 'text/plain', 'a, b', { data: 'a, b' }],
    ['bytes', 'image/png', '\u0089PNG', { data_base64: 'wolQTkc=' }],
  ])('in headers, with %s as its data', async (_, contentType, data, kept) => {
    const account = await server.registerAccount()
    const headers = {
      'ce-specversion': '1.0',
      'ce-id': 'b1',
      'ce-source': '/shop',
      'ce-type': 'com.example.order',
      'ce-subject': 'caf%C3%A9',
    }
    const answer = await account.send('POST', path, data, { ...headers, 'content-type': contentType })
    expect([answer.status, answer.body]).toEqual([200, { accepted: 1, duplicates: 0 }])
    const { event } = await newest(account)
    expect(event).toEqual({
      specversion: '1.0',
      id: 'b1',
      source: '/shop',
      type: 'com.example.order',
      subject: 'café',
      datacontenttype: contentType,
      time: expect.any(String),
      ...kept,
    })
  })

  test('the typed client can publish an event', async () => {
    const account = await server.registerAccount()
    const event = { ...eventOf(), specversion: '1.0' as const }
    expect(await account.client.events.publish({ body: { events: [event] } })).toEqual({ accepted: 1, duplicates: 0 })
  })
})

describe('source and id', () => {
  test('source and id identify an event: a repetition is a duplicate', async () => {
    const account = await server.registerAccount()
    const event = eventOf()
    const send = (...events: readonly object[]) => account.send('POST', path, JSON.stringify(events), batched)
    expect((await send(event, event)).body).toEqual({ accepted: 1, duplicates: 1 })
    expect((await send({ ...event, type: 'com.example.other' }, { ...event, source: '/other' })).body).toEqual({
      accepted: 1,
      duplicates: 1,
    })
    expect((await account.send('GET', path)).body.data).toHaveLength(2)
    expect((await (await server.registerAccount()).send('POST', path, event)).body).toEqual({ accepted: 1, duplicates: 0 })
  })

  test('one idempotency key with two different events in headers is refused', async () => {
    const account = await server.registerAccount()
    const send = (id: string) =>
      account.send('POST', path, undefined, {
        'idempotency-key': 'k1',
        'ce-specversion': '1.0',
        'ce-id': id,
        'ce-source': '/shop',
        'ce-type': 'a',
      })
    expect((await send('1')).body).toEqual({ accepted: 1, duplicates: 0 })
    const again = await send('1')
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([{ accepted: 1, duplicates: 0 }, 'true'])
    expect((await send('2')).body).toMatchObject({ status: 409, code: 'idempotency_key_reused' })
  })
})

describe('a refused request stores nothing', () => {
  test.each([
    ['an attribute that is missing', { specversion: '1.0', id: '1', source: '/a' }, structured, '/type'],
    ['a mistake in the second event', [eventOf(), eventOf({ time: 'noon' })], batched, '/1/time'],
    ['a batch of none', [], batched, ''],
    ['a batch of too many', Array.from({ length: 101 }, () => eventOf()), batched, ''],
    ['a type that is ours', eventOf({ type: 'io.serverlessworkflow.task.started.v1' }), structured, '/type'],
    ['a member that is no attribute', eventOf({ 'my-name': 1 }), structured, '/my-name'],
  ])('for %s', async (_, body, headers, pointer) => {
    const account = await server.registerAccount()
    const answer = await account.send('POST', path, body, headers)
    expect(answer.body).toMatchObject({ status: 400, code: 'request_invalid', errors: [{ pointer }] })
    expect((await account.send('GET', path)).body.data).toEqual([])
  })

  test('an invalid header is refused with its name', async () => {
    const account = await server.registerAccount()
    const headers = { 'ce-specversion': '1.0', 'ce-id': '1', 'ce-source': 'not a uri', 'ce-type': 'a' }
    const answer = await account.send('POST', path, undefined, headers)
    expect(answer.body).toMatchObject({ status: 400, errors: [{ pointer: '/ce-source', in: 'header' }] })
  })

  test('an event that is too large is refused with its position', async () => {
    const account = await server.registerAccount()
    const answer = await account.send('POST', path, JSON.stringify([eventOf(), eventOf({ data: 'x'.repeat(257 * 1024) })]), batched)
    expect(answer.body).toMatchObject({ status: 413, code: 'payload_too_large', detail: expect.stringContaining('event 2 of 2') })
    expect((await account.send('GET', path)).body.data).toEqual([])
  })

  test('an unknown CloudEvents format is refused', async () => {
    const account = await server.registerAccount()
    const answer = await account.send('POST', path, '<event/>', { 'content-type': 'application/cloudevents+xml' })
    expect(answer.body).toMatchObject({ status: 415, code: 'unsupported_media_type' })
  })
})

test('an event resumes the execution that listens for it, and its state is then taken', async () => {
  const account = await server.registerAccount()
  const definition = documentOf(`do:
  - hear: { listen: { to: { one: { with: { type: com.example.paid } } } } }
`)
  const { id } = await account.client.workflows.create({ body: { definition } })
  const run = account.send('POST', `/api/v1/execute/${id}/run`)
  const event = eventOf({ type: 'com.example.paid', data: { amount: 7 } })
  await account.send('POST', path, event)
  expect((await run).body).toEqual([{ amount: 7 }])
  const stateOf = async (type: string) =>
    (await account.send('GET', `${path}?type=${type}`)).body.data.map((one: { state: string }) => one.state)
  expect(await stateOf('com.example.paid')).toEqual(['taken'])
  await account.send('POST', path, eventOf({ type: 'com.example.unwanted' }))
  await expect.poll(() => stateOf('com.example.unwanted')).toEqual(['kept'])
})

describe('the list of events', () => {
  test('the list of events can be filtered and read page by page, newest first', async () => {
    const account = await server.registerAccount()
    const all = [eventOf(), eventOf({ type: 'b' }), eventOf({ source: '/other' }), eventOf({ type: 'b' }), eventOf()]
    for (const event of all) await account.send('POST', path, event)
    const idsOf = async (query: string) => {
      const { body } = await account.send('GET', `${path}?${query}`)
      return { ids: body.data.map((one: { eventId: string }) => one.eventId), next: body.nextCursor }
    }
    const newestFirst = all.map(({ id }) => id).toReversed()
    expect((await idsOf('')).ids).toEqual(newestFirst)
    const first = await idsOf('limit=2')
    expect([...first.ids, ...(await idsOf(`limit=3&cursor=${first.next}`)).ids]).toEqual(newestFirst)
    expect((await idsOf('type=b')).ids).toEqual([all[3]?.id, all[1]?.id])
    expect((await idsOf('source=/other')).ids).toEqual([all[2]?.id])
    expect((await idsOf('source=/shop&type=b')).ids).toHaveLength(2)
    await sql`update events set received_at = received_at - interval '10 seconds' where event_id = ${all[1]?.id ?? ''}`.execute(
      server.database.system,
    )
    const since = new Date(Date.now() - 5_000).toISOString()
    expect((await idsOf(`type=b&since=${since}`)).ids).toEqual([all[3]?.id])
    expect((await idsOf(`type=b&until=${since}`)).ids).toEqual([all[1]?.id])
    expect((await account.send('GET', `${path}?cursor=x`)).body).toMatchObject({
      status: 400,
      errors: [{ pointer: '/cursor', in: 'query' }],
    })
  })

  test('the list contains no event of another account', async () => {
    const [one, other] = [await server.registerAccount(), await server.registerAccount()]
    await one.send('POST', path, eventOf())
    const { id } = await newest(one)
    expect((await other.send('GET', path)).body.data).toEqual([])
    expect((await other.send('GET', `${path}/${id}`)).status).toBe(404)
  })
})

test('an API key with the read scope cannot publish, and one with the publish scope cannot subscribe', async () => {
  const account = await server.registerAccount()
  const keyFor = async (scope: 'events:read' | 'events:write') => {
    const { secret } = await account.client.apiKeys.create({ body: { name: 'k', scopes: [scope] } })
    return { authorization: `Bearer ${secret}` }
  }
  expect((await account.send('POST', path, eventOf(), await keyFor('events:read'))).body.code).toBe('insufficient_scope')
  const body = { name: 'x', url: 'https://example.com/', types: ['*'] }
  const writes = await keyFor('events:write')
  expect((await account.send('POST', path, eventOf(), writes)).status).toBe(200)
  expect((await account.send('POST', `${path}/subscriptions`, body, writes)).body.code).toBe('insufficient_scope')
})
