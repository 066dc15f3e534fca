import { startProcessorTime } from '@millrace/jq/testing/processor-time.ts'
import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { Stripe } from 'stripe'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentOf } from '#testing/definitions.ts'
import { type Answer, createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const path = '/api/v1/triggers'
const echoes = 'do:\n  - echo: { set: { got: "${ . }" } }\n'
const secret = 'a long shared phrase'

interface Hook {
  readonly account: TestAccount
  readonly id: string
  readonly workflowId: string
  readonly secret: string
  send(init?: RequestInit & { readonly search?: string }): Promise<Answer>
  deliveries(): Promise<Answer['body']>
  inputOf(executionId: string): Promise<Answer['body']>
}

async function createHook(
  webhook: object,
  { body = echoes, ...more }: { readonly body?: string; readonly mapping?: string } = {},
): Promise<Hook> {
  const account = await server.registerAccount()
  const { id: workflowId } = await account.client.workflows.create({ body: { definition: documentOf(body) } })
  const created = await account.send('POST', `${path}/webhook`, { workflowId, name: 'hook', webhook, ...more })
  expect(created.status).toBe(200)
  const { pathname } = new URL(created.body.webhook.url)
  return {
    account,
    id: created.body.id,
    workflowId,
    secret: created.body.secret,
    async send({ search = '', ...init } = {}) {
      const response = await fetch(`${server.url}${pathname}${search}`, { method: 'POST', ...init })
      return { status: response.status, headers: response.headers, body: await response.json() }
    },
    deliveries: async () => (await account.send('GET', `${path}/${created.body.id}/deliveries`)).body.data,
    inputOf: async (executionId) => (await account.send('GET', `/api/v1/workflows/executions/${executionId}`)).body.input,
  }
}

const seconds = (ago = 0) => String(Math.floor(Date.now() / 1000) - ago)
const hmac = (text: string, encoding: 'hex' | 'base64' = 'hex', algorithm = 'sha256') =>
  createHmac(algorithm, secret).update(text).digest(encoding)
const payload = '{"id":"evt_1","total":3}'

function slackHeaders(body: string, ago = 0) {
  const timestamp = seconds(ago)
  return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${hmac(`v0:${timestamp}:${body}`)}` }
}

/** Headers by which each kind of sender signs the payload at a time. */
const signers = {
  github: () => ({ 'x-hub-signature-256': `sha256=${hmac(payload)}`, 'x-github-delivery': '72d3162e' }),
  stripe: (ago = 0) => ({
    'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: Number(seconds(ago)) }),
  }),
  slack: (ago = 0) => slackHeaders(payload, ago),
  hmac: () => ({ 'x-signature': hmac(payload) }),
  basic: () => ({ authorization: `Basic ${Buffer.from(`ada:${secret}`).toString('base64')}` }),
} as const

describe('signatures', () => {
  test('a webhook without further settings requires Standard Webhooks with a generated secret', async () => {
    const hook = await createHook({})
    expect(hook.secret).toMatch(/^whsec_/)
    const sign = (id: string, at: Date) => ({
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new StandardWebhook(hook.secret).sign(id, at, payload),
    })
    expect((await hook.send({ body: payload })).body).toMatchObject({ status: 401, code: 'signature_invalid' })
    expect((await hook.send({ body: `${payload} `, headers: sign('m1', new Date()) })).status).toBe(401)
    expect((await hook.send({ body: payload, headers: sign('m1', new Date(Date.now() - 400_000)) })).body.detail).toContain('300 seconds')
    const first = await hook.send({ body: payload, headers: sign('m1', new Date()) })
    const second = await hook.send({ body: payload, headers: sign('m1', new Date(Date.now() - 5_000)) })
    expect([first.status, first.body.duplicate, second.body.duplicate]).toEqual([200, false, true])
    expect(second.body.executionId).toBe(first.body.executionId)
    const deliveries = await hook.deliveries()
    expect(deliveries.map(({ outcome }: { readonly outcome: string }) => outcome)).toEqual([
      'duplicate',
      'started',
      'refused',
      'refused',
      'refused',
    ])
    expect(deliveries[4]).toMatchObject({ status: 401, reason: expect.stringContaining('lacks webhook-id'), replayable: false })
  })

  test.each(['github', 'stripe', 'slack', 'hmac', 'basic'] as const)(
    '%s: what the sender signs is accepted, anything else refused',
    async (scheme) => {
      const hook = await createHook({ signature: { scheme, secret, ...(scheme === 'basic' ? { username: 'ada' } : {}) } })
      const send = (headers: Record<string, string>, body = payload) =>
        hook.send({ body, headers: { 'content-type': 'application/json', ...headers } })
      const accepted = await send(signers[scheme]())
      expect(accepted.status).toBe(200)
      const { headers } = await hook.inputOf(accepted.body.executionId)
      expect(headers).not.toHaveProperty('authorization')
      expect((await send({})).status).toBe(401)
      if (scheme === 'basic')
        expect((await send({ authorization: `Basic ${Buffer.from('ada:wrong').toString('base64')}` })).status).toBe(401)
      else expect((await send(signers[scheme](), '{"total":4}')).status).toBe(401)
      if (scheme === 'stripe' || scheme === 'slack') expect((await send(signers[scheme](600))).status).toBe(401)
      if (scheme === 'basic' || scheme === 'hmac') return
      const same = signers[scheme]()
      await send(same)
      expect((await send(same)).body.duplicate).toBe(true)
    },
  )

  test('a request without an id starts nothing if one with the same content came shortly before', async () => {
    const hook = await createHook({ signature: { scheme: 'none' }, deliveryHeader: 'X-Id', sameContentSeconds: 3_600 })
    const send = (body: string, more: { readonly search?: string; readonly headers?: Record<string, string> } = {}) =>
      hook.send({ body, ...more, headers: { 'content-type': 'application/json', ...more.headers } })
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(payload)))
    answers.push(await send(payload))
    expect(answers.filter(({ body }) => body.duplicate === false)).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => body.executionId)).size).toBe(1)
    const others = [await send('{"total":4}'), await send(payload, { search: '?a=1' }), await send(payload, { headers: { 'x-id': 'm1' } })]
    expect(others.map(({ body }) => body.duplicate)).toEqual([false, false, false])
    const [withId, , , repeated] = await hook.deliveries()
    expect(withId).toMatchObject({ deliveryId: 'm1', contentDigest: null })
    expect(repeated).toMatchObject({
      outcome: 'duplicate',
      contentDigest: expect.any(String),
      reason: expect.stringContaining('same content'),
    })
  })

  test('github: events with equal bodies start one execution each, and a delivery that is sent again starts nothing', async () => {
    const hook = await createHook({ signature: { scheme: 'github', secret } })
    const send = (delivery: Record<string, string>) =>
      hook.send({
        body: payload,
        headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${hmac(payload)}`, ...delivery },
      })
    const [first, second] = [await send({ 'x-github-delivery': 'one' }), await send({ 'x-github-delivery': 'two' })]
    expect([first.body.duplicate, second.body.duplicate]).toEqual([false, false])
    expect((await send({ 'x-github-delivery': 'one' })).body).toMatchObject({ executionId: first.body.executionId, duplicate: true })
    expect([(await send({})).body.duplicate, (await send({})).body.duplicate]).toEqual([false, true])
  })

  test('github: an event that is sent as a form is the same body as one that is sent as JSON, and the raw body is the form', async () => {
    const hook = await createHook({ signature: { scheme: 'github', secret }, rawBody: true })
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const send = (body: string) => hook.send({ body, headers: { ...type, 'x-hub-signature-256': `sha256=${hmac(body)}` } })
    const form = `payload=${encodeURIComponent('{"ref":"refs/heads/a+b","n":[1]}')}`
    const { executionId } = (await send(form)).body
    expect(await hook.inputOf(executionId)).toMatchObject({ body: { ref: 'refs/heads/a+b', n: [1] }, rawBody: form })
    expect((await send('payload=%7B')).status).toBe(400)
    const others = await hook.inputOf((await send('payload=%7B%7D&more=1')).body.executionId)
    expect(others.body).toEqual({ payload: '{}', more: '1' })
    const open = await createHook({ signature: { scheme: 'none' } })
    const kept = await open.inputOf((await open.send({ body: form, headers: type })).body.executionId)
    expect(kept.body).toEqual({ payload: '{"ref":"refs/heads/a+b","n":[1]}' })
  })

  test('slack: an event that is sent again, signed at another time, starts nothing', async () => {
    const hook = await createHook({ signature: { scheme: 'slack', secret } })
    const send = (ago: number, body: string) =>
      hook.send({ body, headers: { 'content-type': 'application/json', ...slackHeaders(body, ago) } })
    const event = (id: string) => JSON.stringify({ type: 'event_callback', event: { metadata: { event_id: 'Ev0' } }, event_id: id })
    const first = await send(10, event('Ev1'))
    expect((await send(5, event('Ev1'))).body).toMatchObject({ executionId: first.body.executionId, duplicate: true })
    expect((await send(0, event('Ev2'))).body.duplicate).toBe(false)
  })

  test('an HMAC may have its own header, algorithm and encoding', async () => {
    const hook = await createHook({ signature: { scheme: 'hmac', secret, header: 'X-Shop', algorithm: 'sha512', encoding: 'base64' } })
    expect((await hook.send({ body: payload, headers: { 'x-shop': hmac(payload, 'base64', 'sha512') } })).status).toBe(200)
    expect((await hook.send({ body: payload, headers: { 'x-shop': hmac(payload, 'base64') } })).status).toBe(401)
  })

  test('the challenge of Slack is returned and starts nothing', async () => {
    const hook = await createHook({ signature: { scheme: 'slack', secret } })
    const body = '{"type":"url_verification","challenge":"abc"}'
    const headers = { ...slackHeaders(body), 'content-type': 'application/json' }
    expect((await hook.send({ body, headers })).body).toEqual({ challenge: 'abc' })
    expect(await hook.deliveries()).toEqual([])
  })
})

describe('content', () => {
  const open = { signature: { scheme: 'none' } }

  test.each([
    ['JSON', 'application/json', '{"a":[1]}', { a: [1] }],
    ['a form', 'application/x-www-form-urlencoded', 'a=1&b=x+y&b=%C3%A9&c', { a: '1', b: ['x y', 'é'], c: '' }],
    ['JSON that claims to be a form', 'application/x-www-form-urlencoded', ' {"a":[1]}', { a: [1] }],
    ['a form whose field begins with a brace', 'application/x-www-form-urlencoded', '{a=1', { '{a': '1' }],
    ['text', 'text/plain', 'hello', 'hello'],
    ['XML', 'application/xml', '<a/>', '<a/>'],
    ['bytes', 'application/octet-stream', Buffer.from([0, 255]), { base64: 'AP8=', bytes: 2 }],
    ['bytes that claim to be text', 'text/plain', Buffer.from([0, 255]), { base64: 'AP8=', bytes: 2 }],
    ['nothing', 'text/plain', '', null],
  ])('%s arrives as what it is', async (_kind, contentType, body, expected) => {
    const hook = await createHook(open)
    const { body: sent } = await hook.send({ body, headers: { 'content-type': contentType }, search: '?x=1&y=2&y=3' })
    expect(await hook.inputOf(sent.executionId)).toMatchObject({
      method: 'POST',
      query: { x: '1', y: ['2', '3'] },
      body: expected,
      contentType,
    })
  })

  test.each<[string, string | Uint8Array<ArrayBuffer>, unknown]>([
    ['text', '{"b": 1,  "a":2.0}\n', '{"b": 1,  "a":2.0}\n'],
    ['bytes', Uint8Array.from([0, 255]), { base64: 'AP8=', bytes: 2 }],
  ])('the body as it was sent, %s, comes where the webhook asks for it', async (_kind, body, expected) => {
    const hook = await createHook({ ...open, rawBody: true })
    const type = typeof body === 'string' ? 'application/json' : 'application/octet-stream'
    const { body: sent } = await hook.send({ body, headers: { 'content-type': type } })
    expect((await hook.inputOf(sent.executionId)).rawBody).toEqual(expected)
  })

  test('a form of several parts gives its fields and files', async () => {
    const hook = await createHook(open)
    const form = new FormData()
    form.append('name', 'Ada')
    form.append('__proto__', 'x')
    form.append('photo', new Blob([Buffer.from([1, 0, 2])], { type: 'image/png' }), 'a.png')
    const { body } = await hook.send({ body: form })
    const input = await hook.inputOf(body.executionId)
    expect(Object.entries(input.body)).toEqual([
      ['name', 'Ada'],
      ['__proto__', 'x'],
      ['photo', { filename: 'a.png', contentType: 'image/png', bytes: 3, base64: 'AQAC' }],
    ])
  })

  const boundary = 'multipart/form-data; boundary=b'
  test.each([
    ['a form without a boundary', 'multipart/form-data', '--b--'],
    ['a part without a head', boundary, '--b\r\nx\r\n--b--'],
    ['a form that does not end', boundary, '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx'],
    ['an empty part', boundary, '--b\r\n--b--'],
    ['a form of 100,000 parts', boundary, '--b\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n'.repeat(15_000)],
    ['a form of many fields', 'application/x-www-form-urlencoded', 'a&'.repeat(400_000)],
    ['a form with half an escape', 'application/x-www-form-urlencoded', 'a=%E0%'],
    ['a form with NUL', 'application/x-www-form-urlencoded', 'a=%00'],
    ['broken JSON', 'application/json', '{"a":'],
    ['deep JSON', 'application/json', '['.repeat(100_000)],
    ['JSON with NUL', 'application/json', String.raw`{"a":"\u0000"}`],
  ])('%s is refused with little work, and the server lives', async (_case, contentType, body) => {
    const hook = await createHook(open)
    const begun = startProcessorTime()
    const { status } = await hook.send({ body, headers: { 'content-type': contentType } })
    expect(status).toBe(400)
    // The server runs in the thread of the test.
    expect(begun()).toBeLessThan(3_000)
    expect((await hook.deliveries())[0]).toMatchObject({ outcome: 'refused', status: 400 })
  })

  test('a body of more than a mebibyte is refused, and so is a compressed one', async () => {
    const hook = await createHook(open)
    expect((await hook.send({ body: 'x'.repeat(1_100_000) })).status).toBe(413)
    expect((await hook.send({ body: 'x', headers: { 'content-encoding': 'gzip' } })).status).toBe(415)
  })
})

describe('the address', () => {
  const none = { signature: { scheme: 'none' } }

  test('an unknown token is a 404, and another method a 405 with Allow', async () => {
    const unknown = await fetch(`${server.url}/hooks/${'x'.repeat(43)}`, { method: 'POST' })
    expect([unknown.status, unknown.headers.get('x-request-id')]).toEqual([404, expect.any(String)])
    const hook = await createHook({ ...none, methods: ['PUT', 'GET'] })
    const response = await hook.send()
    expect([response.status, response.headers.get('allow'), response.body.code]).toEqual([405, 'PUT, GET', 'method_not_allowed'])
    expect((await hook.send({ method: 'GET' })).status).toBe(200)
    expect((await hook.deliveries()).map(({ status }: { readonly status: number }) => status)).toEqual([200, 405])
  })

  test('requests over the rate of the webhook, or from another address, are refused', async () => {
    const hook = await createHook({ ...none, ratePerMinute: 2 })
    const statuses = [(await hook.send()).status, (await hook.send()).status, (await hook.send()).status]
    expect(statuses).toEqual([200, 200, 429])
    const strange = await createHook({ ...none, addresses: ['192.0.2.0/24', '2001:db8::1'] })
    expect((await strange.send()).body).toMatchObject({ status: 403, code: 'forbidden' })
    const local = await createHook({ ...none, addresses: ['127.0.0.0/8'] })
    expect((await local.send()).status).toBe(200)
  })

  test('a disabled webhook takes nothing, and a deleted one is unknown', async () => {
    const hook = await createHook(none)
    await hook.account.send('PATCH', `${path}/${hook.id}/toggle`, { enabled: false })
    expect((await hook.send()).body).toMatchObject({ status: 409, code: 'trigger_disabled' })
    await hook.account.send('DELETE', `${path}/${hook.id}`)
    expect((await hook.send()).status).toBe(404)
  })
})

describe('the response', () => {
  const none = { signature: { scheme: 'none' } }

  test('it is the output at the end, or what the workflow responds', async () => {
    const end = await createHook({ ...none, reply: 'end' }, { body: 'do:\n  - done: { set: { n: "${ .body.n + 1 }" } }\n' })
    const json = { body: '{"n":1}', headers: { 'content-type': 'application/json' } }
    expect((await end.send(json)).body).toEqual({ n: 2 })
    expect((await end.send({ ...json, body: '{"n":{}}' })).body).toMatchObject({ status: 422, code: 'execution_faulted' })
    const replies = 'do:\n  - reply: { call: respond, with: { body: { ok: true } } }\n  - sleep: { wait: { hours: 1 } }\n'
    const respond = await createHook({ ...none, reply: 'respond' }, { body: replies })
    expect((await respond.send(json)).body).toEqual({ ok: true })
    const late = await createHook({ ...none, reply: 'end', timeoutSeconds: 1 }, { body: replies })
    expect((await late.send(json)).body).toMatchObject({ executionId: expect.stringMatching(/^exec_/), state: expect.any(String) })
  })

  test('a mapping makes the input, and a delivery can be replayed', async () => {
    const hook = await createHook(none, { mapping: '{ total: .body.total }' })
    const { body } = await hook.send({ body: payload, headers: { 'content-type': 'application/json' } })
    expect(await hook.inputOf(body.executionId)).toEqual({ total: 3 })
    const [delivery] = await hook.deliveries()
    const replayed = await hook.account.send('POST', `${path}/deliveries/${delivery.id}/replay`)
    expect(replayed.body).toMatchObject({ triggerId: hook.id })
    const { body: execution } = await hook.account.send('GET', `/api/v1/workflows/executions/${replayed.body.executionId}`)
    expect(execution).toMatchObject({ trigger: 'replay', input: { total: 3 } })
  })
})

describe('requests at the same time', () => {
  test('are each recorded, and the trigger names the last execution', async () => {
    const hook = await createHook({ signature: { scheme: 'none' } })
    const sent = await Promise.all(Array.from({ length: 20 }, (_, id) => hook.send({ body: JSON.stringify({ id }) })))
    const started = sent.map(({ body }) => String(body.executionId))
    const recorded: { readonly executionId: string }[] = await hook.deliveries()
    expect(recorded.map(({ executionId }) => executionId).toSorted()).toEqual(started.toSorted())
    const { body } = await hook.account.send('GET', `${path}/${hook.id}`)
    expect(started).toContain(body.lastExecutionId)
    expect(body.failures).toBe(0)
  })

  test('that fail ten times pause the webhook, and its owner is notified with the reason', async () => {
    const hook = await createHook({ signature: { scheme: 'none' } }, { mapping: 'error("\\u0000 no total")' })
    const sent = await Promise.all(Array.from({ length: 10 }, (_, id) => hook.send({ body: JSON.stringify({ id }) })))
    expect(new Set(sent.map(({ body }) => body.code))).toEqual(new Set(['mapping_failed']))
    expect((await hook.send({ body: payload })).body.code).toBe('trigger_disabled')
    const { data } = (await hook.account.send('GET', '/api/v1/notifications')).body
    expect(data).toMatchObject([{ kind: 'trigger.paused', body: expect.stringContaining('no total') }])
    expect((await hook.deliveries()).map((delivery: { outcome: string }) => delivery.outcome).toSorted()).toEqual([
      ...Array.from({ length: 10 }, () => 'failed'),
      'refused',
    ])
  })

  test('that a sender repeats count once, whether they have an id or the same content', async () => {
    const hook = await createHook({ signature: { scheme: 'none' }, deliveryHeader: 'X-Id' }, { mapping: 'error("no total")' })
    const failures = async () => (await hook.account.send('GET', `${path}/${hook.id}`)).body.failures
    for (let count = 0; count < 4; count++) await hook.send({ body: JSON.stringify({ count }), headers: { 'x-id': 'm1' } })
    expect(await failures()).toBe(1)
    await Promise.all(Array.from({ length: 4 }, () => hook.send({ body: payload })))
    expect(await failures()).toBe(2)
    await sql`update webhook_deliveries set at = at - interval '25 hours'`.execute(server.database.system)
    await hook.send({ body: payload })
    expect(await failures()).toBe(3)
  })
})
