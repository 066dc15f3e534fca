import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { linkTo, messageTo } from '#testing/outbox.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const newPassword = 'a wholly different phrase 4713'

function change({ send, password }: TestAccount, more: object = {}, headers: Readonly<Record<string, string>> = {}) {
  const body = { currentPassword: password, password: newPassword, ...more }
  return send('POST', '/api/v1/auth/password/change', body, headers)
}

test('an API key cannot change the password or the profile', async () => {
  const account = await server.registerAccount()
  const key = await account.send('POST', '/api/v1/api-keys', { name: 'ci', scopes: ['account:read'] })
  const headers = { authorization: `Bearer ${key.body.key ?? key.body.secret}` }
  expect((await account.send('GET', '/api/v1/auth/me', undefined, headers)).status).toBe(200)
  expect(await change(account, {}, headers)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
  const patched = await account.send('PATCH', '/api/v1/auth/me', { name: 'Eve' }, headers)
  expect(patched).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
})

test('without a credential nothing changes', async () => {
  const account = await server.registerAccount()
  expect((await change(account, {}, { authorization: '' })).status).toBe(401)
  expect((await account.send('PATCH', '/api/v1/auth/me', { name: 'Eve' }, { authorization: '' })).status).toBe(401)
})

test('a change voids the links that would set another password', async () => {
  const account = await server.registerAccount()
  await account.client.auth.passwordForgot({ body: { email: account.email } })
  const token = await linkTo(server.url, account.email, 'Set a new password')
  expect((await change(account)).status).toBe(200)
  const reset = await account.send('POST', '/api/v1/auth/password/reset', { token, password: 'one more phrase of ours 4715' })
  expect(reset).toMatchObject({ status: 401, body: { code: 'link_invalid' } })
})

test('a user who has no password sets one by a link', async () => {
  const account = await server.registerAccount()
  await sql`delete from user_passwords where user_id = ${account.userId}`.execute(server.database.system)
  const refused = await change(account)
  expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } })
  expect(refused.body.detail).toContain('/api/v1/auth/password/forgot')
})

test('the mail about a change is in the language of the user', async () => {
  const account = await server.registerAccount()
  await account.send('PATCH', '/api/v1/auth/me', { locale: 'ar-EG' })
  await change(account)
  const { subject } = await messageTo(server.url, account.email, 'كلمة مرورك')
  expect(subject).toContain('تم تغيير')
})

test('a change of one user leaves the sessions and the password of others', async () => {
  const [account, other] = [await server.registerAccount(), await server.registerAccount()]
  await change(account)
  expect((await other.send('GET', '/api/v1/auth/me')).status).toBe(200)
  const login = await other.send('POST', '/api/v1/auth/login', { email: other.email, password: other.password })
  expect(login.status).toBe(200)
})

test.each([
  [{ password: '' }, '/password'],
  [{ currentPassword: '' }, '/currentPassword'],
  [{ password: 'x'.repeat(257) }, '/password'],
  [{ password: 4711 }, '/password'],
  [{ currentPassword: undefined }, '/currentPassword'],
  [{ email: 'eve@example.com' }, '/email'],
])('%j is refused with a pointer', async (more, pointer) => {
  const { status, body } = await change(await server.registerAccount(), more)
  expect([status, body.errors?.[0]?.pointer]).toEqual([400, pointer])
})

test('a change is in the audit log, without the passwords', async () => {
  const account = await server.registerAccount()
  await change(account)
  await account.send('PATCH', '/api/v1/auth/me', { preferences: { private: 'note' } })
  const { data } = (await account.send('GET', '/api/v1/audit/me')).body
  const text = JSON.stringify(data)
  expect(text).toContain('user.password_changed')
  expect(text).toContain('user.changed')
  for (const hidden of [account.password, newPassword, 'note']) expect(text).not.toContain(hidden)
})

test('of two changes at once by the same current password, the last one decides, and the session stays', async () => {
  // Wrong passwords came from the same address, which would have to wait.
  const forgetThrottles = () => sql`delete from login_throttles`.execute(server.database.system)
  await forgetThrottles()
  const account = await server.registerAccount()
  const phrases = ['first phrase of ours 4716', 'second phrase of ours 4717']
  const answers = await Promise.all(phrases.map((password) => change(account, { password })))
  expect(answers.some(({ status }) => status === 200)).toBe(true)
  const logins = []
  for (const password of phrases) {
    await forgetThrottles()
    logins.push(await account.send('POST', '/api/v1/auth/login', { email: account.email, password }))
  }
  expect(logins.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401])
  expect((await account.send('GET', '/api/v1/auth/me')).status).toBe(200)
  await forgetThrottles()
  const former = await account.send('POST', '/api/v1/auth/login', { email: account.email, password: account.password })
  expect(former.status).toBe(401)
})

test('a new user has an empty profile, and the confirmation of the address shows in it', async () => {
  const account = await server.registerAccount()
  const me = async () => (await account.send('GET', '/api/v1/auth/me')).body
  expect(await me()).toMatchObject({ name: null, locale: null, zone: null, preferences: {}, emailVerified: false })
  const token = await linkTo(server.url, account.email, 'Confirm')
  await account.send('POST', '/api/v1/auth/verify-email', { token })
  expect(await me()).toMatchObject({ emailVerified: true })
})

test('a change with a used Idempotency-Key is made once', async () => {
  const account = await server.registerAccount()
  const headers = { 'idempotency-key': 'one-change' }
  const [first, second] = [await change(account, {}, headers), await change(account, {}, headers)]
  expect([first.status, second.status]).toEqual([200, 200])
  expect(second.body).toEqual(first.body)
})
