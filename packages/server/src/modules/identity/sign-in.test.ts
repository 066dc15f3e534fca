import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createPasswordHasher } from '#platform/auth/password-hasher.ts'
import { goodPassword, type IdentityServer, startIdentityServer } from '#testing/identity-server.ts'

let server: IdentityServer
beforeAll(async () => {
  server = await startIdentityServer()
  await server.register('ada@example.com', { name: 'Ada' })
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  server.events.length = 0
  await sql`delete from login_throttles`.execute(server.db)
})

/** The observable parts of a response: everything except the id of the request. */
function visible({ status, headers, body }: Awaited<ReturnType<IdentityServer['login']>>) {
  const { requestId: _own, ...rest } = body
  const { 'x-request-id': _id, 'ratelimit-remaining': _left, date: _date, ...others } = headers
  return { status, headers: others, body: rest }
}

test('the right password opens a session, in whatever case the address is written', async () => {
  for (const email of ['ada@example.com', ' ADA@Example.com ']) {
    const { status, body } = await server.login(email)
    expect(status).toBe(200)
    expect(body.user).toMatchObject({ email: 'ada@example.com', name: 'Ada', role: 'owner' })
    expect((await server.call('GET', '/api/v1/auth/me', { token: body.accessToken })).body.id).toBe(body.user.id)
  }
})

test('the unprefixed alias signs in alike', async () => {
  const reply = await server.call('POST', '/auth/login', { body: { email: 'ada@example.com', password: goodPassword } })
  expect(reply.status).toBe(200)
})

test('a wrong password and an unknown address are answered alike, to the byte', async () => {
  const wrong = await server.login('ada@example.com', 'not the password', { ip: '198.51.100.1' })
  const unknown = await server.login('eve@example.com', 'not the password', { ip: '198.51.100.1' })
  expect(wrong).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
  expect(visible(unknown)).toEqual(visible(wrong))
})

test('a user without a password cannot sign in with one', async () => {
  const { user } = await server.register('bare@example.com')
  await sql`delete from user_passwords using users where users.id = user_id and email = ${user.email}`.execute(server.db)
  expect((await server.login('bare@example.com')).status).toBe(401)
})

test('a password is checked exactly as it was given', async () => {
  const password = ' Größe zählt 🔑 '
  await server.register('exact@example.com', { password })
  for (const other of [password.trim(), password.toLowerCase(), password.normalize('NFD')])
    expect((await server.login('exact@example.com', other)).status).toBe(401)
  expect((await server.login('exact@example.com', password)).status).toBe(200)
})

test('a refused sign-in is reported with the user whom it was about', async () => {
  await server.login('ada@example.com', 'not the password')
  await server.login('eve@example.com', 'not the password')
  expect(server.events).toMatchObject([
    { type: 'sign_in_refused', ip: '192.0.2.1', userAgent: 'tests/1.0', userId: expect.any(String) },
    { type: 'sign_in_refused', userId: undefined, accountId: undefined },
  ])
})

test('a sign-in is in the audit log of the account', async () => {
  const { body } = await server.login('ada@example.com')
  expect(server.audits.at(-1)).toEqual({ event: 'session.opened', target: body.jti, accountId: expect.any(String) })
})

test('a hash of another cost is replaced when its user signs in', async () => {
  await server.register('old@example.com')
  const old = await createPasswordHasher({ cost: { memoryKib: 64, passes: 4, lanes: 1 } }).hash(goodPassword)
  const ofOld = sql`user_id = (select id from users where email = 'old@example.com')`
  await sql`update user_passwords set hash = ${old} where ${ofOld}`.execute(server.db)
  const hash = async () => (await sql<{ hash: string }>`select hash from user_passwords where ${ofOld}`.execute(server.db)).rows[0]?.hash
  await server.login('old@example.com', 'not the password')
  expect(await hash()).toBe(old)
  expect((await server.login('old@example.com')).status).toBe(200)
  expect(await hash()).toContain('m=64,t=1,p=1')
  expect((await server.login('old@example.com')).status).toBe(200)
})

test('an address that cannot be stored fails none of the sign-ins that arrive with it', async () => {
  const [bad, good] = await Promise.all([server.login('ada\u0000@example.com'), server.login('ada@example.com', goodPassword)])
  expect(bad.body.code).toBe('request_invalid')
  expect(good.status).toBe(200)
})

test('text that no address could be is refused like any other', async () => {
  for (const email of ["' or 1=1 --", '%', 'ada@example.com\u200b', '\\', 'x'.repeat(254)])
    expect((await server.login(email)).body.code).toBe('invalid_credentials')
})
