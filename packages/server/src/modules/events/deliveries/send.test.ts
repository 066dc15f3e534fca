import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { closeAfterEach, openFetch } from '#testing/net/fetch.ts'
import { startWebhookReceiver } from '#testing/webhook-receiver.ts'
import { send } from './send.ts'
import { secretText } from '#platform/net/webhook-signature.ts'

const closing = closeAfterEach()
const secret = randomBytes(32)
const open = () => ({ http: closing(openFetch()), now: () => Date.now(), clock: () => performance.now() })
const messageTo = (url: string) => ({ id: 'dlv_1', accountId: 'a', url, body: '{"type":"a"}', secrets: [secret] })
const never = new AbortController().signal

test('an event is posted once in structured mode with a signature, and a 2xx response is a success', async () => {
  await using receiver = await startWebhookReceiver(() => ({ status: 202 }))
  const outcome = await send(open(), messageTo(receiver.url), never)
  expect(outcome).toMatchObject({ kind: 'delivered', status: 202, error: undefined })
  expect(outcome.durationMs).toBeGreaterThanOrEqual(0)
  const [request] = receiver.received
  expect(receiver.received).toHaveLength(1)
  expect(request).toMatchObject({ method: 'POST', body: '{"type":"a"}' })
  expect(request?.headers['content-type']).toBe('application/cloudevents+json; charset=utf-8')
  expect(new Webhook(secretText(secret)).verify(request?.body ?? '', request?.headers ?? {})).toEqual({ type: 'a' })
})

describe('a failed attempt', () => {
  test.each([
    [500, {}, { kind: 'failed', status: 500, error: 'the endpoint responded 500', retryAfterMs: undefined }],
    [404, {}, { kind: 'failed', status: 404 }],
    [429, { 'retry-after': '90' }, { kind: 'failed', status: 429, retryAfterMs: 90_000 }],
    [410, {}, { kind: 'gone', status: 410 }],
  ])('a response with the status %i has its outcome', async (status, headers, expected) => {
    await using receiver = await startWebhookReceiver(() => ({ status, headers }))
    expect(await send(open(), messageTo(receiver.url), never)).toMatchObject(expected)
  })

  test('a redirect is a failure and is not followed', async () => {
    await using other = await startWebhookReceiver()
    await using receiver = await startWebhookReceiver(() => ({ status: 307, headers: { location: other.url } }))
    const outcome = await send(open(), messageTo(receiver.url), never)
    expect([outcome.kind, outcome.error]).toEqual(['failed', expect.stringContaining('redirects are not followed')])
    expect(other.received).toEqual([])
  })

  test('an endpoint that cannot be reached is a failure', async () => {
    expect(await send(open(), messageTo('http://127.0.0.1:9/'), never)).toMatchObject({ kind: 'failed', status: undefined })
    const closed = { ...open(), http: closing(openFetch({ allow: [] })) }
    const outcome = await send(closed, messageTo('http://127.0.0.1:9/'), never)
    expect(outcome).toMatchObject({ kind: 'failed', error: expect.stringContaining('not at an address that workflows may reach') })
  })

  test('an attempt that the server aborts on shutdown throws and does not count as failed', async () => {
    const abort = new AbortController()
    await using receiver = await startWebhookReceiver(() => {
      abort.abort(new Error('closing'))
      return { status: 500 }
    })
    await expect(send(open(), messageTo(receiver.url), abort.signal)).rejects.toThrow('closing')
  })
})
