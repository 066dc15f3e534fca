import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSmtpServer, type TestSmtpServer } from '#platform/mail/testing-smtp-server.ts'
import { createTestServer, type TestServer } from '#testing/server.ts'
import { linkTo, messageTo } from '#testing/outbox.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const newPassword = 'a wholly different phrase 4713'

async function post(path: string, body: unknown) {
  const response = await fetch(`${server.url}/api/v1/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

const login = (email: string, password: string) => post('login', { email, password })
const statuses = (answers: readonly { readonly status: number }[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b)

test('a link that is used by many requests at once confirms an address once', async () => {
  const { email, userId, send } = await server.registerAccount()
  const token = await linkTo(server.url, email, 'Confirm')
  const answers = await Promise.all(Array.from({ length: 8 }, () => send('POST', '/api/v1/auth/verify-email', { token })))
  expect(statuses(answers)).toEqual([200, 401, 401, 401, 401, 401, 401, 401])
  expect(answers.find(({ status }) => status === 401)?.body.code).toBe('link_invalid')
  const { rows } = await sql`select 1 from users where id = ${userId} and email_verified_at is not null`.execute(server.database.system)
  expect(rows).toHaveLength(1)
  const { rows: mails } = await sql`select 1 from mail_links where user_id = ${userId}`.execute(server.database.system)
  await post('resend-verification', { email })
  const { rows: later } = await sql`select 1 from mail_links where user_id = ${userId}`.execute(server.database.system)
  expect(later).toHaveLength(mails.length)
})

describe('a new password by a link', () => {
  test('ends every session, works once, opens no session and is announced by mail', async () => {
    const account = await server.registerAccount()
    const { email, password } = account
    expect((await post('password/forgot', { email: email.toUpperCase() })).body).toEqual({ sent: true })
    const token = await linkTo(server.url, email, 'Set a new password')
    expect(await post('password/reset', { token, password: 'short' })).toMatchObject({
      status: 422,
      body: { code: 'password_unacceptable' },
    })
    const answers = await Promise.all([1, 2, 3].map(() => post('password/reset', { token, password: newPassword })))
    expect(statuses(answers)).toEqual([200, 401, 401])
    expect(answers.find(({ status }) => status === 200)?.body).toEqual({ reset: true, sessionsEnded: 1 })
    expect((await account.send('GET', '/api/v1/auth/me')).status).toBe(401)
    expect((await login(email, password)).status).toBe(401)
    expect((await login(email, newPassword)).body.status).toBe('signed_in')
    await messageTo(server.url, email, 'Your password was changed')
  })

  test('voids the other links of the user', async () => {
    const { email } = await server.registerAccount()
    const { request } = (await post('magic-link', { email })).body
    await post('password/forgot', { email })
    const [reset, magic] = await Promise.all([linkTo(server.url, email, 'Set a new password'), linkTo(server.url, email, 'sign-in link')])
    expect((await post('password/reset', { token: reset, password: newPassword })).status).toBe(200)
    expect((await post('magic-link/verify', { token: magic, request })).status).toBe(401)
  })

  test('does not work after its time, for another purpose, or after the address changed', async () => {
    const { email, userId } = await server.registerAccount()
    await post('password/forgot', { email })
    const token = await linkTo(server.url, email, 'Set a new password')
    expect((await post('verify-email', { token })).status).toBe(401)
    const system = server.database.system
    await sql`update users set email = 'moved@example.com' where id = ${userId}`.execute(system)
    expect((await post('password/reset', { token, password: newPassword })).status).toBe(401)
    await sql`update users set email = ${email} where id = ${userId}`.execute(system)
    await sql`update mail_links set expires_at = now() where user_id = ${userId}`.execute(system)
    expect((await post('password/reset', { token, password: newPassword })).status).toBe(401)
  })
})

describe('a sign-in link', () => {
  test('works once, only with the secret of the browser that asked for it, and a wrong secret does not use it up', async () => {
    const { email } = await server.registerAccount()
    const { body } = await post('magic-link', { email })
    const token = await linkTo(server.url, email, 'sign-in link')
    const other = (await post('magic-link', { email })).body.request
    for (const request of [other, 'mlq_guess', token]) expect((await post('magic-link/verify', { token, request })).status).toBe(401)
    const answers = await Promise.all([1, 2, 3, 4].map(() => post('magic-link/verify', { token, request: body.request })))
    expect(statuses(answers)).toEqual([200, 401, 401, 401])
    expect(answers.find(({ status }) => status === 200)?.body).toMatchObject({ status: 'signed_in', user: { email } })
  })
})

test('an unknown address gets the same replies as a known one, and no mail', async () => {
  const { email } = await server.registerAccount()
  const unknown = 'unknown@example.com'
  for (const path of ['password/forgot', 'resend-verification', 'magic-link']) {
    const [one, two] = [await post(path, { email }), await post(path, { email: unknown })]
    expect([two.status, Object.keys(two.body)]).toEqual([one.status, Object.keys(one.body)])
  }
  await messageTo(server.url, email, 'sign-in link')
  const { data } = JSON.parse(await (await fetch(`${server.url}/dev/outbox`)).text())
  expect(data.filter(({ recipient }: { recipient: string }) => recipient === unknown)).toEqual([])
})

test.each([
  ['a Cyrillic letter', 'us\u0435r1@example.com'],
  ['the Kelvin sign', '\u212Aate@example.com'],
  ['a dotless i', 'k\u0131m@example.com'],
  ['fullwidth letters', '\uFF55ser1@example.com'],
  ['a domain in other letters', 'user1@ex\u0430mple.com'],
  ['an invisible character', 'us\u200Ber1@example.com'],
])('an address with %s creates no user and gets no link', async (_name, email) => {
  for (const [path, more] of Object.entries({ register: { password: 'four words make sense' }, 'password/forgot': {}, 'magic-link': {} }))
    expect(await post(path, { email, ...more }), path).toMatchObject({ status: 400, body: { errors: [{ pointer: '/email' }] } })
})

test('at most five links of a kind are made for a user in an hour, with the same reply', async () => {
  const { email, userId } = await server.registerAccount()
  const answers = []
  for (let i = 0; i < 7; i++) answers.push(await post('password/forgot', { email }))
  expect(new Set(statuses(answers))).toEqual(new Set([200]))
  const { rows } = await sql`select 1 from mail_links where user_id = ${userId} and purpose = 'reset-password'`.execute(
    server.database.system,
  )
  expect(rows).toHaveLength(5)
})

test('neither the links of users nor the queue contain a token in readable form', async () => {
  const { email } = await server.registerAccount()
  await post('password/forgot', { email })
  const token = await linkTo(server.url, email, 'Set a new password')
  const { rows } = await sql<{ text: string }>`
    select data::text as text from pgboss.job_common union all select row_to_json(l)::text from mail_links l`.execute(
    server.database.system,
  )
  expect(rows.length).toBeGreaterThan(1)
  expect(rows.filter(({ text }) => text.includes(token))).toEqual([])
})

async function startWithSmtp(smtp: TestSmtpServer): Promise<TestServer> {
  return createTestServer({
    MILLRACE_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    MILLRACE_SMTP_TLS: 'off',
    MILLRACE_MAIL_FROM: 'Millrace <flows@example.com>',
    MILLRACE_PUBLIC_URL: 'https://millrace.example.com',
  })
}

/** Waits for a refused mail, and makes its next attempt due now. */
async function makeRetryDue({ database }: TestServer): Promise<void> {
  const retried = () => sql`update pgboss.job_common set start_after = now() where state = 'retry' returning id`.execute(database.system)
  await expect.poll(async () => (await retried()).rows.length).toBe(1)
}

test('mails go through the mail server in the language of the user, and again after a failure', async () => {
  let refusals = 1
  await using smtp = await startSmtpServer({
    onRcptTo: (_address, _session, callback) => {
      if (refusals-- > 0) return callback(Object.assign(new Error('try later'), { responseCode: 451 }))
      return callback()
    },
  })
  await using mailing = await startWithSmtp(smtp)
  const { email, userId } = await mailing.registerAccount()
  await makeRetryDue(mailing)
  await expect.poll(() => smtp.deliveries.length).toBe(1)
  await sql`update users set locale = 'ar-SA' where id = ${userId}`.execute(mailing.database.system)
  await mailing.client.auth.passwordForgot({ body: { email } })
  await expect.poll(() => smtp.deliveries.length).toBe(2)
  const [english, arabic] = smtp.deliveries.map(({ mail }) => mail)
  expect([english?.subject, english?.text?.includes('https://millrace.example.com/mail/verify#token=mll_')]).toEqual([
    'Confirm your e-mail address',
    true,
  ])
  expect([arabic?.subject, arabic?.html?.includes('dir="rtl"')]).toEqual(['تعيين كلمة مرور جديدة', true])
})

test('without mail the operations do not exist, and with their flag alone they say what is missing', async () => {
  await using bare = await createTestServer({ MILLRACE_PUBLIC_URL: 'https://millrace.example.com' })
  const flagged = await bare.startSecond({ MILLRACE_FLAGS: 'isMagicLinkEnabled' })
  const ask = (url: string) =>
    fetch(`${url}/api/v1/auth/magic-link`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"email":"a@example.com"}',
    })
  expect((await ask(bare.url)).status).toBe(404)
  const refused = await ask(flagged.url)
  expect([refused.status, JSON.parse(await refused.text()).code]).toEqual([503, 'mail_unavailable'])
})
