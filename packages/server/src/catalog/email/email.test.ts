import { compileSchema, type EffectCall, type Json, WorkflowError } from '@millrace/engine'
import { describe, expect, test } from 'vitest'
import { MailError, type MailErrorOptions, type MailFailure } from '#platform/mail/mail-error.ts'
import type { Mailer, MailMessage } from '#platform/mail/mailer.ts'
import { testMailer } from '#platform/mail/testing-mailer.ts'
import { startSmtpServer } from '#platform/mail/testing-smtp-server.ts'
import { createEmailFunction } from './email-function.ts'
import { manifest } from './manifest.ts'

const inputFaults = compileSchema({ document: manifest.input })
const outputFaults = compileSchema({ document: manifest.output })
const plain = { to: 'ada@example.org', subject: 'Hello', text: 'How are you?' }
const key = '0192f3b4-7d1e-7c22-9a57-1f4a6c0d9e11-5b1f0c2a9d3e4f5a6b7c8d9e'

function callOf(args: Json, more: Partial<EffectCall> = {}): EffectCall {
  const signal = new AbortController().signal
  return { accountId: 'a', executionId: 'e', arguments: args, input: null, secrets: {}, idempotencyKey: key, signal, ...more }
}

/** A mailer that records its mails, or fails with a given error. */
function keeper(failure?: MailError) {
  const messages: MailMessage[] = []
  const mailer: Mailer = {
    async send(message) {
      messages.push(message)
      if (failure !== undefined) throw failure
      return { messageId: '<1@example.com>', accepted: [], rejected: [] }
    },
    close: () => undefined,
  }
  return { messages, mailer }
}

async function errorOf(perform: Promise<unknown>) {
  const error = await perform.catch((reason: unknown) => reason)
  if (!(error instanceof WorkflowError)) throw error
  return { ...error.data, type: error.data.type.split('/').at(-1) }
}

describe('a call', () => {
  test('sends the mail over SMTP, and gives what became of it', async () => {
    await using server = await startSmtpServer({
      onRcptTo: ({ address }, _session, callback) =>
        callback(address.startsWith('gone') ? Object.assign(new Error('No such mailbox'), { responseCode: 550 }) : null),
    })
    const mailer = testMailer(server.port)
    const args = {
      to: ['Ada Lovelace <ada@example.org>', 'gone@example.org'],
      cc: 'grace@example.org',
      bcc: ['archive@example.org'],
      replyTo: 'orders@example.com',
      from: 'Orders <orders@example.com>',
      subject: 'Invoice',
      text: 'Attached.',
      html: '<p>Attached.</p>',
      attachments: [
        { filename: 'a.pdf', contentType: 'application/pdf', contentBase64: 'JVBE\nRi0x' },
        { filename: 'b.txt', content: 'Thank you' },
      ],
      headers: { 'X-Order': '4711' },
    }
    expect(inputFaults(args)).toEqual([])
    const output = await createEmailFunction(mailer)(callOf(args))
    mailer.close()
    expect(outputFaults(output)).toEqual([])
    expect(output).toEqual({
      messageId: `<${key}@example.com>`,
      accepted: ['ada@example.org', 'grace@example.org', 'archive@example.org'],
      rejected: [{ address: 'gone@example.org', reason: expect.stringContaining('No such mailbox') }],
    })
    const mail = server.deliveries[0]?.mail
    expect(mail).toMatchObject({
      from: { name: 'Orders', address: 'orders@example.com' },
      messageId: `<${key}@example.com>`,
      subject: 'Invoice',
      replyTo: [{ address: 'orders@example.com' }],
    })
    expect(mail?.headers).toContainEqual(expect.objectContaining({ key: 'x-order', value: '4711' }))
    expect(mail?.attachments.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([
      ['a.pdf', 'application/pdf'],
      ['b.txt', 'text/plain'],
    ])
  })

  test('that is repeated sends a mail that can be recognised, and another attempt one of its own', async () => {
    await using server = await startSmtpServer()
    const mailer = testMailer(server.port)
    const email = createEmailFunction(mailer)
    for (const idempotencyKey of [key, key, `${key}-2`]) await email(callOf(plain, { idempotencyKey }))
    mailer.close()
    const ids = server.deliveries.map(({ mail }) => mail.messageId)
    expect([ids.length, new Set(ids).size]).toEqual([3, 2])
  })

  test('with a single address is the same as with a list of one', async () => {
    const { mailer, messages } = keeper()
    await createEmailFunction(mailer)(callOf(plain))
    await createEmailFunction(mailer)(callOf({ ...plain, to: [plain.to] }))
    expect(messages[0]).toEqual(messages[1])
  })

  test('decodes base64 to the bytes that it stands for', async () => {
    const { mailer, messages } = keeper()
    const contentBase64 = Buffer.from([0, 255, 128, 7]).toString('base64')
    await createEmailFunction(mailer)(callOf({ ...plain, attachments: [{ filename: 'a', contentBase64 }] }))
    expect([...(messages[0]?.attachments?.[0]?.content ?? [])]).toEqual([0, 255, 128, 7])
  })

  test('that is aborted ends with the reason of the abort, which a workflow cannot catch', async () => {
    await using server = await startSmtpServer()
    const mailer = testMailer(server.port)
    const sent = createEmailFunction(mailer)(callOf(plain, { signal: AbortSignal.abort(new Error('cancelled')) }))
    await expect(sent).rejects.toThrow(/^cancelled$/)
    mailer.close()
  })

  test('without a mail server says what to set', async () => {
    expect(await errorOf(createEmailFunction(undefined)(callOf(plain)))).toMatchObject({
      type: 'configuration',
      detail: expect.stringMatching(/MILLRACE_SMTP_URL.*MILLRACE_MAIL_FROM/),
    })
  })
})

describe('invalid arguments that fit the schema', () => {
  test.each([
    [{ ...plain, to: 'ada@example.org, grace@example.org' }, '/to'],
    [{ ...plain, cc: ['ada@example.org', 'unknown'] }, '/cc/1'],
    [{ ...plain, from: 'me@' }, '/from'],
    [{ ...plain, attachments: [{ filename: 'a', contentBase64: 'not base64!' }] }, '/attachments/0/contentBase64'],
    [{ ...plain, attachments: [{ filename: 'a', contentBase64: 'abcde' }] }, '/attachments/0/contentBase64'],
  ])('%j is a validation error that names %s', async (args, pointer) => {
    const { mailer, messages } = keeper()
    const error = await errorOf(createEmailFunction(mailer)(callOf(args)))
    expect(error).toMatchObject({ type: 'validation', status: 400 })
    expect(error.detail).toContain(pointer)
    expect(messages).toEqual([])
  })
})

describe('the schema refuses', () => {
  test.each([
    ['a mail without a recipient', { subject: 'a', text: 'a' }],
    ['a mail without a subject', { to: 'a@b.c', text: 'a' }],
    ['a mail that says nothing', { to: 'a@b.c', subject: 'a' }],
    ['an empty list', { ...plain, to: [] }],
    ['a hundred and one recipients', { ...plain, to: Array.from({ length: 101 }, () => 'a@b.c') }],
    ['a second line in the subject', { ...plain, subject: 'a\nBcc: eve@evil.example' }],
    ['a second line in an address', { ...plain, to: 'a@b.c\r\nBcc: eve@evil.example' }],
    ['a second line in a header', { ...plain, headers: { 'X-A': 'a\r\nBcc: eve@evil.example' } }],
    ['a header with an invalid name', { ...plain, headers: { 'X A': 'a' } }],
    ['an attachment that is a file of the server', { ...plain, attachments: [{ filename: 'a', path: '/etc/passwd' }] }],
    ['an attachment that is an address', { ...plain, attachments: [{ filename: 'a', href: 'http://169.254.169.254/' }] }],
    ['an attachment without content', { ...plain, attachments: [{ filename: 'a' }] }],
    ['an attachment with two contents', { ...plain, attachments: [{ filename: 'a', content: 'a', contentBase64: 'YQ==' }] }],
    ['an argument that there is not', { ...plain, body: 'a' }],
    ['raw mails', { ...plain, raw: 'From: a' }],
  ])('%s', (_what, args) => {
    expect(inputFaults(args)).not.toEqual([])
  })
})

describe('a failure of the mail', () => {
  const cases: readonly [MailFailure, MailErrorOptions, string, number][] = [
    ['invalid', {}, 'validation', 400],
    ['denied', {}, 'authorization', 403],
    ['authentication', { replyCode: 535 }, 'authentication', 401],
    ['authentication', { replyCode: 454 }, 'communication', 503],
    ['unreachable', {}, 'communication', 503],
    ['unreachable', { replyCode: 421 }, 'communication', 503],
    ['insecure', {}, 'communication', 502],
    ['refused', { replyCode: 451 }, 'communication', 503],
    ['refused', { replyCode: 550 }, 'communication', 502],
    ['timeout', {}, 'timeout', 408],
  ]
  test.each(cases)('%s %j is an error of type %s with status %i, in its words', async (failure, options, type, status) => {
    const { mailer } = keeper(new MailError(failure, 'In these words.', options))
    expect(await errorOf(createEmailFunction(mailer)(callOf(plain)))).toMatchObject({ type, status, detail: 'In these words.' })
  })

  test('that is a bug stays one', async () => {
    const { mailer } = keeper()
    const broken = { ...mailer, send: () => Promise.reject(new TypeError('x is not a function')) }
    await expect(createEmailFunction(broken)(callOf(plain))).rejects.toThrow(TypeError)
  })
})
