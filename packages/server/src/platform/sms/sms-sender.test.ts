import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { listenLocally } from '#testing/listen-locally.ts'
import { never, openFetch } from '#testing/net/fetch.ts'
import { createHttpSms, type SmsProvider, SmsRefusal } from './sms-sender.ts'

const opened: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((close) => close()))
})

/** A provider that keeps what it receives. */
async function startProvider(status = 200) {
  const received: { path: string | undefined; headers: IncomingMessage['headers']; body: string }[] = []
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    received.push({ path: request.url, headers: request.headers, body })
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  }
  const server = await listenLocally(respond)
  const http = openFetch()
  opened.push(
    () => server[Symbol.asyncDispose](),
    () => http.close(),
  )
  return { url: server.url, http, received }
}

const message = { key: 'sms-1', to: '+4915112345678', text: '123456 is your code' }
const settings = (url: string, more: Partial<SmsProvider> = {}): SmsProvider => ({
  format: 'json',
  url,
  user: undefined,
  token: 'hunter2',
  from: 'Millrace',
  ...more,
})

test('a provider of its own kind receives JSON, and a key by which it recognises a repetition', async () => {
  const { url, http, received } = await startProvider(202)
  await createHttpSms(settings(`${url}/send`), http).send(message, never)
  expect(received).toMatchObject([{ path: '/send', headers: { authorization: 'Bearer hunter2', 'idempotency-key': 'sms-1' } }])
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({ to: message.to, text: message.text, from: 'Millrace' })
})

test.each([
  ['+4930901820', 'From'],
  [`MG${'0a'.repeat(16)}`, 'MessagingServiceSid'],
])('a provider with the interface of Twilio receives a form from %s', async (from, field) => {
  const { url, http, received } = await startProvider(201)
  await createHttpSms(settings(`${url}/`, { format: 'twilio', user: 'AC1', from }), http).send(message, never)
  expect(received[0]?.path).toBe('/2010-04-01/Accounts/AC1/Messages.json')
  expect(received[0]?.headers.authorization).toBe(`Basic ${Buffer.from('AC1:hunter2').toString('base64')}`)
  expect(Object.fromEntries(new URLSearchParams(received[0]?.body))).toEqual({ To: message.to, Body: message.text, [field]: from })
})

test.each([
  [400, true],
  [404, true],
  [401, false],
  [429, false],
  [503, false],
])('status %i is final: %s', async (status, final) => {
  const { url, http } = await startProvider(status)
  const error: unknown = await createHttpSms(settings(url), http)
    .send(message, never)
    .catch((thrown: unknown) => thrown)
  expect([error instanceof SmsRefusal, String(error).includes(String(status))]).toEqual([final, true])
})
