import { createServer } from 'node:net'
import { inspect } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { createCertificate } from '#testing/net/certificate.ts'
import type { Mailer } from './mailer.ts'
import { box, messageTo, never, testMailer } from './testing-mailer.ts'
import { startSmtpServer } from './testing-smtp-server.ts'

const certificate = createCertificate('localhost', new Date('2100-01-01'))
const other = createCertificate('localhost', new Date('2100-01-01'))
const misnamed = createCertificate('mail.example.com', new Date('2100-01-01'))
const hello = messageTo('ada@example.org')

const open: Mailer[] = []
afterEach(() => {
  for (const mailer of open.splice(0)) mailer.close()
})

function mailerTo(...given: Parameters<typeof testMailer>): Mailer {
  const mailer = testMailer(...given)
  open.push(mailer)
  return mailer
}

const refusing = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })

describe('TLS', () => {
  test('by STARTTLS with a certificate that the operator named carries the mail', async () => {
    await using server = await startSmtpServer(certificate)
    await mailerTo(server.port, { tls: 'required', ca: certificate.cert }).send(hello, never)
    expect(server.deliveries[0]?.secure).toBe(true)
  })

  test('from the first byte carries the mail', async () => {
    await using server = await startSmtpServer({ ...certificate, secure: true })
    await mailerTo(server.port, { tls: 'implicit', ca: certificate.cert }).send(hello, never)
    expect(server.deliveries[0]?.secure).toBe(true)
  })

  test.each([
    ['without a trusted issuer', certificate, undefined],
    ['that another one vouches for', certificate, other.cert],
    ['of another host', misnamed, misnamed.cert],
  ])('with a certificate %s is refused, also where it is optional', async (_what, served, ca) => {
    await using server = await startSmtpServer(served)
    for (const tls of ['required', 'optional'] as const) {
      await expect(mailerTo(server.port, { tls, ca }).send(hello, never)).rejects.toMatchObject({ failure: 'insecure', temporary: false })
    }
    expect(server.deliveries).toEqual([])
  })

  test('that is required and not offered sends nothing', async () => {
    await using server = await startSmtpServer()
    await expect(mailerTo(server.port, { tls: 'required' }).send(hello, never)).rejects.toMatchObject({ failure: 'insecure' })
    expect(server.deliveries).toEqual([])
  })

  test('that is required sends no password before it', async () => {
    const seen: unknown[] = []
    await using server = await startSmtpServer({
      onAuth(auth, _session, callback) {
        seen.push(auth.password)
        callback(null, { user: auth.username })
      },
    })
    const credentials = { user: 'mill', password: 'hunter2hunter2' }
    await expect(mailerTo(server.port, { tls: 'required', credentials }).send(hello, never)).rejects.toMatchObject({ failure: 'insecure' })
    expect(seen).toEqual([])
  })

  test('that is optional is taken where it is offered, and gone without where it is not', async () => {
    await using offers = await startSmtpServer(certificate)
    await using offersNot = await startSmtpServer()
    for (const { port } of [offers, offersNot]) await mailerTo(port, { tls: 'optional', ca: certificate.cert }).send(hello, never)
    expect([offers.deliveries[0]?.secure, offersNot.deliveries[0]?.secure]).toEqual([true, false])
  })
})

describe('signing in', () => {
  const onAuth: Parameters<typeof startSmtpServer>[0] = {
    onAuth({ username, password }, _session, callback) {
      if (username === 'mill' && password === 'hunter2hunter2') callback(null, { user: username })
      else callback(refusing(535, 'Authentication credentials invalid'))
    },
  }

  test('with the right password lets the mail through', async () => {
    await using server = await startSmtpServer(onAuth)
    await mailerTo(server.port, { credentials: { user: 'mill', password: 'hunter2hunter2' } }).send(hello, never)
    expect(server.deliveries[0]?.user).toBe('mill')
  })

  test('with a wrong one says so, and does not show it', async () => {
    await using server = await startSmtpServer(onAuth)
    const sent = mailerTo(server.port, { credentials: { user: 'mill', password: 'wrong-password' } }).send(hello, never)
    const error = await sent.catch((reason: unknown) => reason)
    expect(error).toMatchObject({ failure: 'authentication', replyCode: 535, temporary: false })
    expect(String(error)).toContain('Authentication credentials invalid')
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('wrong-password')
  })

  test('that is asked for and not configured says so', async () => {
    await using server = await startSmtpServer(onAuth)
    await expect(mailerTo(server.port).send(hello, never)).rejects.toMatchObject({ failure: 'authentication', replyCode: 530 })
  })
})

describe('an answer of the server', () => {
  test.each([
    [451, 'Try again later', true],
    [452, 'Disk is full', true],
    [552, 'Too much', false],
    [554, 'Smells of spam', false],
  ])('the response %i %s to a mail is reported with its text, temporary: %s', async (code, words, temporary) => {
    await using server = await startSmtpServer({ onData: (_stream, _session, callback) => callback(refusing(code, words)) })
    const error = await mailerTo(server.port)
      .send(hello, never)
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({ failure: 'refused', replyCode: code, temporary })
    expect(String(error)).toContain(`The mail server refused the mail: ${code}`)
    expect(String(error)).toContain(words)
  })

  test.each([
    [450, true],
    [550, false],
  ])('%i to the only recipient is a failure, temporary: %s', async (code, temporary) => {
    await using server = await startSmtpServer({
      onRcptTo: (_address, _session, callback) => callback(refusing(code, 'No such mailbox')),
    })
    const error = await mailerTo(server.port)
      .send(hello, never)
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({ failure: 'refused', replyCode: code, temporary })
    expect(String(error)).toContain('ada@example.org')
  })

  test('that refuses the sender says so', async () => {
    await using server = await startSmtpServer({ onMailFrom: (_address, _session, callback) => callback(refusing(553, 'Not yours')) })
    await expect(mailerTo(server.port).send(hello, never)).rejects.toThrow(/refused the sender: 553.*Not yours/)
  })

  test('a server that accepts some recipients and refuses others is a success that names them', async () => {
    await using server = await startSmtpServer({
      onRcptTo: ({ address }, _session, callback) =>
        callback(address.startsWith('gone') ? refusing(550, 'No such mailbox') : address.startsWith('full') ? refusing(452, 'Full') : null),
    })
    const to = ['ada@example.org', 'gone@example.org', 'full@example.org'].map((address) => box(address))
    const receipt = await mailerTo(server.port).send({ ...hello, to }, never)
    expect(receipt.accepted).toEqual(['ada@example.org'])
    expect(receipt.rejected).toEqual([
      { address: 'gone@example.org', reason: expect.stringMatching(/^550.*No such mailbox$/) },
      { address: 'full@example.org', reason: expect.stringMatching(/^452.*Full$/) },
    ])
    expect(server.deliveries[0]?.recipients).toEqual(['ada@example.org'])
  })

  test('that one mail is refused does not keep the next from going', async () => {
    let refuse = true
    await using server = await startSmtpServer({
      onRcptTo(_address, _session, callback) {
        callback(refuse ? refusing(550, 'No') : null)
        refuse = false
      },
    })
    const mailer = mailerTo(server.port, {}, { connections: 1 })
    await expect(mailer.send(hello, never)).rejects.toMatchObject({ failure: 'refused' })
    await mailer.send(hello, never)
    expect([server.deliveries.length, server.connections()]).toEqual([1, 1])
  })
})

/** A server of the test's own words: what it says to each connection is up to the test. */
async function startRawServer(
  talk: (say: (line: string) => void, heard: (listen: (line: string) => void) => void, cut: () => void) => void,
) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    talk(
      (line) => void socket.write(`${line}\r\n`),
      (listen) => void socket.on('data', (data) => listen(data.toString())),
      () => void socket.destroy(),
    )
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it does not listen on a port')
  return { port: address.port, [Symbol.asyncDispose]: async () => void server.close() }
}

describe('a server that', () => {
  test('is not there is not reachable', async () => {
    const server = await startRawServer(() => undefined)
    await server[Symbol.asyncDispose]()
    await expect(mailerTo(server.port).send(hello, never)).rejects.toMatchObject({ failure: 'unreachable', temporary: true })
  })

  test('has no address is not reachable', async () => {
    const mailer = mailerTo(25, { host: 'mail.invalid' })
    await expect(mailer.send(hello, never)).rejects.toMatchObject({ failure: 'unreachable', temporary: true })
  })

  test('cuts the connection in the middle of the mail is unreachable', async () => {
    await using server = await startRawServer((say, heard, cut) => {
      say('220 mail')
      heard((line) => {
        if (line.startsWith('DATA')) say('354 send data')
        else if (/^(?:EHLO|MAIL|RCPT)/.test(line)) say('250 ok')
        else cut()
      })
    })
    await expect(mailerTo(server.port).send(hello, never)).rejects.toMatchObject({ failure: 'unreachable', temporary: true })
  })

  test('speaks something else is unreachable', async () => {
    await using server = await startRawServer((say) => say('HTTP/1.1 400 Bad Request'))
    await expect(mailerTo(server.port).send(hello, never)).rejects.toMatchObject({ failure: 'unreachable' })
  })

  test('a connection to a server that never greets times out', async () => {
    await using server = await startRawServer(() => undefined)
    await expect(mailerTo(server.port, {}, { connectMs: 50 }).send(hello, never)).rejects.toMatchObject({
      failure: 'timeout',
      temporary: true,
    })
  })

  test('a connection to a server that sends its greeting without end times out', async () => {
    await using server = await startRawServer((say) => void setInterval(() => say('220-mail'), 20).unref())
    const mailer = mailerTo(server.port, {}, { connectMs: 10_000, totalMs: 200 })
    await expect(mailer.send(hello, never)).rejects.toMatchObject({ failure: 'timeout' })
  })
})

describe('an abort', () => {
  test('ends a mail to a server that hangs, with its own reason', async () => {
    const { promise: asked, resolve } = Promise.withResolvers<void>()
    await using server = await startRawServer((say, heard) => {
      say('220 mail')
      heard(() => resolve())
    })
    const controller = new AbortController()
    const sent = mailerTo(server.port).send(hello, controller.signal)
    await asked
    controller.abort(new Error('cancelled by Ada'))
    await expect(sent).rejects.toThrow('cancelled by Ada')
  })

  test('before the mail sends nothing', async () => {
    await using server = await startSmtpServer()
    await expect(mailerTo(server.port).send(hello, AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late')
    expect([server.deliveries.length, server.connections()]).toEqual([0, 0])
  })

  test('of one mail leaves those beside it alone', async () => {
    await using server = await startSmtpServer()
    const mailer = mailerTo(server.port, {}, { connections: 1 })
    const controller = new AbortController()
    const sent = [mailer.send(hello, never), mailer.send(hello, controller.signal), mailer.send(hello, never)]
    controller.abort(new Error('not this one'))
    const outcomes = await Promise.allSettled(sent)
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })
})

test('closing ends a mail to a server that hangs', async () => {
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  await using server = await startRawServer((say, heard) => {
    say('220 mail')
    heard(() => resolve())
  })
  const mailer = mailerTo(server.port)
  const sent = mailer.send(hello, never)
  await asked
  mailer.close()
  await expect(sent).rejects.toMatchObject({ failure: 'unreachable' })
})
