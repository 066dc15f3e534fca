import type { PersonalDataKind } from '@millrace/contract'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSmtpServer, type TestSmtpServer } from '#platform/mail/testing-smtp-server.ts'
import { documentOf } from '#testing/definitions.ts'
import { type ModelStandIn, startModelStandIn } from '#testing/model-stand-in.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { startWebhookReceiver } from '#testing/webhook-receiver.ts'
import { redactBody } from './departures.ts'

let model: ModelStandIn
let smtp: TestSmtpServer
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>
let server: TestServer
/** The model repeats the last message, so that a test sees what it was sent and what came back. */
beforeAll(async () => {
  model = await startModelStandIn(({ messages }) => ({ content: `Echo: ${JSON.stringify(messages.at(-1)?.content).slice(1, -1)}` }))
  smtp = await startSmtpServer()
  receiver = await startWebhookReceiver()
  server = await createTestServer({
    MILLRACE_REGION: 'SA',
    MILLRACE_HOST_REGIONS: '127.0.0.1=US',
    MILLRACE_MODEL_URL: model.url,
    MILLRACE_MODEL_NAME: 'test',
    MILLRACE_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    MILLRACE_SMTP_TLS: 'off',
    MILLRACE_MAIL_FROM: 'flows@example.com',
  })
})
afterAll(async () => {
  await server.close()
  await receiver[Symbol.asyncDispose]()
  await smtp[Symbol.asyncDispose]()
  await model.stop()
})

const note = 'Ada Lovelace, ada@example.com'
const consent = '/api/v1/account/consents/cross-border'
const give = (account: TestAccount) => account.send('POST', consent, { purposes: ['Orders'] })

async function runOf(account: TestAccount, task: string) {
  const { id } = await account.client.workflows.create({ body: { definition: documentOf(`do:\n  - leave:\n${task}`) } })
  const { body } = await account.send('POST', `/api/v1/workflows/${id}/execute`, { input: { note } }, { prefer: 'wait=20' })
  return body
}

const ways = {
  model: { task: `      call: model:1.0.0@default\n      with: { prompt: '\${ .note }' }\n`, sent: () => JSON.stringify(model.requests()) },
  connector: {
    task: () => `      call: http\n      with: { method: post, endpoint: '${receiver.url}', body: { note: '\${ .note }' } }\n`,
    sent: () => JSON.stringify(receiver.received),
  },
  mail: {
    task: `      call: email:1.0.0@default\n      with: { to: bob@example.org, subject: Order, text: '\${ .note }' }\n`,
    sent: () => JSON.stringify(smtp.deliveries.filter(({ mail }) => mail.subject === 'Order').map(({ mail }) => mail.text)),
  },
} as const

describe.each(['model', 'connector', 'mail'] as const)('data on its way to a %s outside of the region', (name) => {
  const { task, sent } = ways[name]
  const run = (account: TestAccount) => runOf(account, typeof task === 'string' ? task : task())
  const preference = { model: 'models', connector: 'connectors', mail: 'mail' }[name]
  const prefer = (account: TestAccount, choice: string) =>
    account.send('PUT', '/api/v1/account/consents/privacy-preferences', { [preference]: choice })

  test('is refused without consent, sent with it, redacted or refused where the preferences say so, and refused after the withdrawal', async () => {
    const account = await server.registerAccount()
    const before = sent()
    const refused = await run(account)
    expect(refused).toMatchObject({
      state: 'faulted',
      error: { status: 403, detail: expect.stringContaining('No consent to transfers is in force') },
    })
    expect(sent()).toBe(before)
    await give(account)
    await prefer(account, 'allow')
    expect((await run(account)).state).toBe('completed')
    expect(sent()).toContain(note)
    const seen = sent().split(note).length
    await prefer(account, 'redact')
    expect((await run(account)).state).toBe('completed')
    expect(sent().split(note)).toHaveLength(seen)
    expect(sent()).toMatch(/<PERSON(?:_1)?>, <EMAIL(?:_1)?>/)
    await prefer(account, 'refuse')
    expect(await run(account)).toMatchObject({ error: { status: 403, detail: expect.stringContaining(`refuse for ${preference}`) } })
    await prefer(account, 'allow')
    await account.send('DELETE', consent)
    expect((await run(account)).error.detail).toContain('No consent to transfers is in force')
    const { data } = await account.client.privacy.logs({ query: { source: 'egress' } })
    expect(data.map(({ action }) => action)).toEqual(['blocked', 'blocked', 'redacted', 'allowed', 'blocked'])
    expect(JSON.stringify(data)).not.toContain('Lovelace')
  })
})

test('a redacted prompt is restored in the answer of the model, in whole and in a stream', async () => {
  const account = await server.registerAccount()
  await give(account)
  const answer = await runOf(account, ways.model.task)
  expect(JSON.stringify(model.requests().at(-1))).not.toContain('Lovelace')
  expect(answer.output.text).toBe(`Echo: ${note}`)
  const headers = { authorization: `Bearer ${account.token}`, 'content-type': 'application/json', accept: 'text/event-stream' }
  const body = JSON.stringify({ message: `Note: ${note}` })
  const streamed = await (await fetch(`${server.url}/api/v1/assistant/chat`, { method: 'POST', headers, body })).text()
  expect(JSON.stringify(model.requests().at(-1))).not.toContain('Lovelace')
  const pieces = [...streamed.matchAll(/^event: text\ndata: (.*)$/gm)].map(([, data = '']) => String(JSON.parse(data).text))
  expect(pieces.join('')).toContain(note)
})

test('an event is delivered to a webhook outside of the region only with consent, and what is redacted is what is signed', async () => {
  const account = await server.registerAccount()
  const body = { name: 'Orders', url: receiver.url, types: ['order.made'] }
  const { id, secret } = (await account.send('POST', '/api/v1/events/subscriptions', body)).body
  const { length } = receiver.received
  const refused = await account.send('POST', `/api/v1/events/subscriptions/${id}/test`)
  expect([refused.body.state, JSON.stringify(refused.body)]).toEqual(['failed', expect.stringContaining('No consent to transfers')])
  expect(receiver.received).toHaveLength(length)
  await give(account)
  await account.send('PUT', '/api/v1/account/consents/privacy-preferences', { webhooks: 'redact' })
  const event = { specversion: '1.0', id: 'o-1', source: 'https://shop.example.com', type: 'order.made', data: { note } }
  await account.send('POST', '/api/v1/events', event)
  await expect.poll(() => receiver.received.length).toBe(length + 1)
  const [delivered] = receiver.received.slice(length)
  const verified = new Webhook(secret).verify(delivered?.body ?? '', { ...delivered?.headers })
  expect(verified).toMatchObject({ type: 'order.made', data: { note: '<PERSON>, <EMAIL>' } })
})

test('mails by which people sign in need no consent', async () => {
  const account = await server.registerAccount()
  await account.send('POST', '/api/v1/auth/password/forgot', { email: account.email })
  await expect.poll(() => smtp.deliveries.some(({ recipients }) => recipients.includes(account.email))).toBe(true)
  const { rows } = await sql`select 1 from privacy_decisions where account_id = ${account.accountId}`.execute(server.database.system)
  expect(rows).toEqual([])
})

describe('a body that is redacted', () => {
  const kinds = new Set<PersonalDataKind>(['email'])
  const bytes = Buffer.from([0x89, 0x50, 0xff, 0x00, 0xfe])

  test('keeps every byte when it has no personal data', async () => {
    expect(await redactBody(bytes, kinds)).toBe(bytes)
    expect(await redactBody('{"n": 12345678901234567890}', kinds)).toBe('{"n": 12345678901234567890}')
  })

  test('has placeholders in place of what was found, escaped texts of JSON included', async () => {
    expect(await redactBody(String.raw`{"to":"ada\u0040example.com"}`, kinds)).toBe('{"to":"<EMAIL>"}')
    expect(await redactBody('to ada@example.com', kinds)).toBe('to <EMAIL>')
  })

  test('is refused when it is no text', async () => {
    const hidden = Buffer.concat([bytes, Buffer.from(' ada@example.com')])
    await expect(redactBody(hidden, kinds)).rejects.toThrow('no text')
  })
})
