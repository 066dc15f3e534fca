import { afterEach, describe, expect, test } from 'vitest'
import type { Mailer } from './mailer.ts'
import { box, messageTo, never, testMailer } from './testing-mailer.ts'
import { startSmtpServer } from './testing-smtp-server.ts'

const open: Mailer[] = []
afterEach(() => {
  for (const mailer of open.splice(0)) mailer.close()
})

function mailerTo(...given: Parameters<typeof testMailer>): Mailer {
  const mailer = testMailer(...given)
  open.push(mailer)
  return mailer
}

describe('a mail', () => {
  test('arrives with everything that it was given', async () => {
    await using server = await startSmtpServer()
    const receipt = await mailerTo(server.port).send(
      {
        accountId: 'account-1',
        key: 'execution-1-abc',
        to: [box('ada@example.org', 'Ada Lovelace'), box('jürgen@example.org', 'Jürgen "J" Groß')],
        cc: [box('grace@example.org')],
        bcc: [box('archive@example.org')],
        replyTo: [box('orders@example.com', 'Orders, all of them')],
        subject: 'Invoice № 4711 – with a subject that is far too long for one line of a header, and runs on for quite a while',
        text: 'Grüße,\n.\nFrom the mill\n',
        html: '<p>Grüße</p>',
        attachments: [
          { filename: 'Rechnung März.pdf', contentType: 'application/pdf', content: Uint8Array.from({ length: 256 }, (_, byte) => byte) },
          { filename: 'note.txt', content: Buffer.from('one\ntwo\n') },
        ],
        headers: { 'X-Order': '4711', 'In-Reply-To': '<1@example.org>' },
      },
      never,
    )
    const recipients = ['ada@example.org', 'jürgen@example.org', 'grace@example.org', 'archive@example.org']
    expect(receipt).toEqual({ messageId: '<execution-1-abc@example.com>', accepted: recipients, rejected: [] })
    const [delivery] = server.deliveries
    expect(delivery).toMatchObject({ from: 'flows@example.com', recipients })
    expect(delivery?.mail).toMatchObject({
      from: { name: 'Millrace', address: 'flows@example.com' },
      to: [
        { name: 'Ada Lovelace', address: 'ada@example.org' },
        { name: 'Jürgen "J" Groß', address: 'jürgen@example.org' },
      ],
      cc: [{ address: 'grace@example.org' }],
      replyTo: [{ name: 'Orders, all of them', address: 'orders@example.com' }],
      subject: 'Invoice № 4711 – with a subject that is far too long for one line of a header, and runs on for quite a while',
      messageId: '<execution-1-abc@example.com>',
      inReplyTo: '<1@example.org>',
      date: '2026-01-02T03:04:05.000Z',
    })
    expect(delivery?.mail.text?.trimEnd().replaceAll('\r\n', '\n')).toBe('Grüße,\n.\nFrom the mill')
    expect(delivery?.mail.html).toContain('<p>Grüße</p>')
    const [pdf, note] = delivery?.mail.attachments ?? []
    expect(pdf).toMatchObject({ filename: 'Rechnung März.pdf', mimeType: 'application/pdf' })
    expect(Buffer.from(bytesOf(pdf?.content))).toEqual(Buffer.from(Uint8Array.from({ length: 256 }, (_, byte) => byte)))
    expect(note).toMatchObject({ filename: 'note.txt', mimeType: 'text/plain' })
    expect(Buffer.from(bytesOf(note?.content)).toString().replaceAll('\r\n', '\n')).toBe('one\ntwo\n')
  })

  test('does not show hidden recipients, nor what sent it', async () => {
    await using server = await startSmtpServer()
    await mailerTo(server.port).send(messageTo('ada@example.org', { bcc: [box('archive@example.org')] }), never)
    expect(server.deliveries[0]?.recipients).toContain('archive@example.org')
    expect(server.deliveries[0]?.raw).not.toMatch(/archive@|nodemailer/i)
  })

  test('a mail has Auto-Submitted: auto-generated unless its headers say otherwise', async () => {
    await using server = await startSmtpServer()
    const mailer = mailerTo(server.port)
    await mailer.send(messageTo('ada@example.org'), never)
    await mailer.send(messageTo('ada@example.org', { headers: { 'auto-submitted': 'auto-replied' } }), never)
    const said = server.deliveries.map(({ mail }) => mail.headers.filter(({ key }) => key === 'auto-submitted').map(({ value }) => value))
    expect(said).toEqual([['auto-generated'], ['auto-replied']])
  })

  test('goes once to a recipient who is named twice', async () => {
    await using server = await startSmtpServer()
    await mailerTo(server.port).send(messageTo('ada@example.org', { cc: [box('ada@example.org', 'Ada')] }), never)
    expect(server.deliveries[0]?.recipients).toEqual(['ada@example.org'])
  })

  test('comes from another address only when its domain is allowed', async () => {
    await using server = await startSmtpServer()
    const mailer = mailerTo(server.port, { senderDomains: ['shop.example'] })
    for (const from of ['other@example.com', 'orders@Shop.example'])
      await mailer.send(messageTo('a@example.org', { from: box(from) }), never)
    await expect(mailer.send(messageTo('a@example.org', { from: box('ceo@bank.example') }), never)).rejects.toMatchObject({
      failure: 'denied',
      message: 'This installation does not send mail from addresses of bank.example.',
    })
    await mailerTo(server.port, { senderDomains: ['*'] }).send(messageTo('a@example.org', { from: box('ceo@bank.example') }), never)
    expect(server.deliveries.map(({ from }) => from)).toEqual(['other@example.com', 'orders@shop.example', 'ceo@bank.example'])
  })

  test('reads no file and no address, whatever its parts look like', async () => {
    await using server = await startSmtpServer()
    const message = messageTo('ada@example.org', {
      text: '/etc/passwd',
      html: '<img src="file:///etc/passwd">',
      attachments: [{ filename: '/etc/passwd', content: Buffer.from('file:///etc/passwd') }],
    })
    await mailerTo(server.port).send(message, never)
    expect(server.deliveries[0]?.raw).not.toContain('root:')
    expect(Buffer.from(bytesOf(server.deliveries[0]?.mail.attachments[0]?.content)).toString()).toBe('file:///etc/passwd')
  })
})

describe('connections', () => {
  test('are kept for the next mail', async () => {
    await using server = await startSmtpServer()
    const mailer = mailerTo(server.port)
    for (let count = 0; count < 3; count++) await mailer.send(messageTo('ada@example.org'), never)
    expect([server.deliveries.length, server.connections()]).toEqual([3, 1])
  })

  test('are no more than allowed, however many mails there are', async () => {
    await using server = await startSmtpServer()
    const mailer = mailerTo(server.port)
    await Promise.all(Array.from({ length: 12 }, (_, index) => mailer.send(messageTo('ada@example.org', { key: `mail-${index}` }), never)))
    expect(server.deliveries).toHaveLength(12)
    expect(server.connections()).toBeLessThanOrEqual(2)
  })

  test('that broke after a mail are made again for the next', async () => {
    const refusals: string[] = []
    await using server = await startSmtpServer({
      onMailFrom(address, _session, callback) {
        refusals.push(address.address)
        callback(refusals.length === 1 ? Object.assign(new Error('Going down'), { responseCode: 421 }) : null)
      },
    })
    const mailer = mailerTo(server.port)
    await expect(mailer.send(messageTo('ada@example.org'), never)).rejects.toMatchObject({ temporary: true })
    await mailer.send(messageTo('ada@example.org'), never)
    expect(server.deliveries).toHaveLength(1)
  })
})

function bytesOf(content: string | ArrayBuffer | Uint8Array | undefined): Uint8Array {
  if (content === undefined) return new Uint8Array()
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content)
}
