import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { createTestServer, type Environment, type TestServer } from '#testing/server.ts'
import { freePort } from '#testing/free-port.ts'
import { createCertificate } from '#testing/net/certificate.ts'
import { startSmtpServer } from '#platform/mail/testing-smtp-server.ts'

const from = { MILLRACE_MAIL_FROM: 'flows@example.com' }
const plain = (port: number): Environment => ({ ...from, MILLRACE_SMTP_URL: `smtp://127.0.0.1:${port}`, MILLRACE_SMTP_TLS: 'off' })

/** A server with these settings of mails, and the user who runs it. */
async function operated(environment: Environment) {
  const server = await createTestServer(environment)
  const account = await server.registerAccount()
  await sql`update users set is_operator = true where id = ${account.userId}`.execute(server.database.system)
  const sendTest = async () => (await account.send('POST', '/api/v1/system/test-mail')).body
  return { server, account, sendTest, [Symbol.asyncDispose]: () => server.close() }
}

const refusing = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })
const trouble = async ({ database }: TestServer) => (await sql`select failures from mail_trouble`.execute(database.system)).rows

describe('a test mail', () => {
  test('goes to who asks for it, and shows what the server answered', async () => {
    await using smtp = await startSmtpServer()
    await using scene = await operated(plain(smtp.port))
    expect(await scene.sendTest()).toMatchObject({
      outcome: 'sent',
      to: scene.account.email,
      server: `127.0.0.1:${smtp.port}`,
      answer: expect.stringMatching(/^250 /),
    })
    const sent = smtp.deliveries.find(({ mail }) => mail.subject === 'Test mail of Millrace')
    expect(sent).toMatchObject({ from: 'flows@example.com', recipients: [scene.account.email] })
  })

  test('is sent for operators only, and for no API key', async () => {
    await using smtp = await startSmtpServer()
    await using scene = await operated(plain(smtp.port))
    const other = await scene.server.registerAccount()
    expect(await other.send('POST', '/api/v1/system/test-mail')).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    const key = await scene.account.send('POST', '/api/v1/api-keys', { name: 'x', scopes: ['system:write'] })
    expect(key.status).toBe(400)
    expect(await scene.account.send('POST', '/api/v1/system/test-mail', { to: 'eve@example.com' })).toMatchObject({ status: 400 })
  })

  test('says that a login was refused, with the words of the server and without the password', async () => {
    await using smtp = await startSmtpServer({
      onAuth: (_auth, _session, callback) => callback(refusing(535, 'Wrong password for mill')),
    })
    await using scene = await operated({ ...plain(smtp.port), MILLRACE_SMTP_URL: `smtp://mill:hunter2hunter2@127.0.0.1:${smtp.port}` })
    const body = await scene.sendTest()
    expect(body).toMatchObject({ outcome: 'login_refused', answer: expect.stringContaining('Wrong password for mill') })
    expect(JSON.stringify(body)).not.toContain('hunter2')
  })

  test('says that a recipient was refused, with the words of the server', async () => {
    await using smtp = await startSmtpServer({ onRcptTo: (_to, _session, callback) => callback(refusing(550, 'No such mailbox')) })
    await using scene = await operated(plain(smtp.port))
    expect(await scene.sendTest()).toMatchObject({ outcome: 'refused', answer: expect.stringContaining('No such mailbox') })
  })

  test('says that no server answers, that its name is unknown, and that its certificate is not trusted', async () => {
    await using scene = await operated(plain(await freePort()))
    expect(await scene.sendTest()).toMatchObject({ outcome: 'unreachable', answer: expect.stringContaining('ECONNREFUSED') })
    await using unknown = await operated({ ...from, MILLRACE_SMTP_URL: 'smtp://mail.invalid:587' })
    expect(await unknown.sendTest()).toMatchObject({ outcome: 'unknown_host', detail: expect.stringContaining('mail.invalid') })
    const certificate = createCertificate('localhost', new Date('2100-01-01'))
    await using smtp = await startSmtpServer(certificate)
    await using untrusted = await operated({ ...from, MILLRACE_SMTP_URL: `smtp://localhost:${smtp.port}` })
    expect(await untrusted.sendTest()).toMatchObject({ outcome: 'certificate', answer: expect.stringMatching(/self-signed/) })
    await using bare = await startSmtpServer({ disabledCommands: ['STARTTLS'] })
    await using unencrypted = await operated({ ...from, MILLRACE_SMTP_URL: `smtp://localhost:${bare.port}` })
    expect(await unencrypted.sendTest()).toMatchObject({ outcome: 'no_tls' })
  })

  test('says that no mail server is configured', async () => {
    await using scene = await operated({})
    expect(await scene.sendTest()).toMatchObject({ outcome: 'not_configured', server: null, answer: null })
  })
})

describe('mails that do not go out', () => {
  test('reach the operators as one notification, show on the page of the system, and end with the first mail that is sent', async () => {
    const state = { refuses: true }
    await using smtp = await startSmtpServer({
      onAuth: (_auth, _session, callback) => (state.refuses ? callback(refusing(535, 'Account locked')) : callback(null, { user: 'mill' })),
    })
    await using scene = await operated({ ...plain(smtp.port), MILLRACE_SMTP_URL: `smtp://mill:hunter2hunter2@127.0.0.1:${smtp.port}` })
    const { account, server } = scene
    const other = await server.registerAccount()
    const notices = async (of: typeof account) =>
      (await of.send('GET', '/api/v1/notifications')).body.data.filter(({ kind }: { kind: string }) => kind === 'system.notice')
    // Each of them is tried again, so that a few attempts fail.
    for (const { email } of [account, other, account]) await server.client.auth.magicLink({ body: { email } })
    await expect.poll(async () => (await notices(account)).length, { timeout: 90_000, interval: 200 }).toBe(1)
    expect(await notices(account)).toMatchObject([
      { title: 'Mails do not go out', link: '/operate/system', body: expect.stringContaining('Account locked') },
    ])
    expect(await notices(other)).toEqual([])
    const seen = async () => (await account.send('GET', '/api/v1/system/health')).body.mailTrouble
    expect(await seen()).toMatchObject({ failures: expect.any(Number), reason: expect.stringContaining('Account locked') })
    expect(await trouble(server)).toHaveLength(1)
    state.refuses = false
    expect(await scene.sendTest()).toMatchObject({ outcome: 'sent' })
    expect(await seen()).toBeNull()
    // Mails of before were not dropped when the server refused the login.
    await expect.poll(() => smtp.deliveries.length, { timeout: 120_000, interval: 200 }).toBeGreaterThan(1)
  })
})
