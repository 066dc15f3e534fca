import { spawnSync } from 'node:child_process'
import { base32nopad } from '@scure/base'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromTypeId } from '#platform/ids.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { messageTo } from '#testing/outbox.ts'
import { totpCode, totpStepOf } from './totp.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

async function call(token: string, path: string, body: unknown = {}, method = 'POST') {
  const response = await fetch(`${server.url}/api/v1/auth/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(method === 'POST' || method === 'PUT' ? { 'content-type': 'application/json' } : {}) },
    ...(method === 'POST' || method === 'PUT' ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

const login = async ({ email, password }: TestAccount) => (await call('', 'login', { email, password })).body
const codeOf = (secret: string, offset: number) => totpCode(base32nopad.decode(secret), Math.floor(Date.now() / 30_000) + offset)

function fail(): never {
  throw new Error('there is no such reply')
}

/** An account whose user has an authenticator; the code of the current step is used up, the next one is accepted early. */
async function withTotp() {
  const account = await server.registerAccount()
  const { secret } = (await call(account.token, 'mfa/setup')).body
  const { body } = await call(account.token, 'mfa/verify-setup', { code: codeOf(secret, 0) })
  return { account, secret: String(secret), recoveryCodes: [...body.recoveryCodes].map(String) }
}

test('codes are those of RFC 6238, and only of the current step and its neighbours', () => {
  const secret = Buffer.from('12345678901234567890')
  expect([59, 1111111109, 20000000000].map((time) => totpCode(secret, Math.floor(time / 30)))).toEqual(['287082', '081804', '353130'])
  const at = (time: number) => new Date(time * 1000)
  // Step 1 is from second 30 to 59.
  expect([30, 59, 60, 89, 90].map((time) => totpStepOf(secret, '287082', at(time)))).toEqual([1, 1, 1, 1, undefined])
})

const oathtool = spawnSync('oathtool', ['--version']).status === 0

test.skipIf(!oathtool)('oathtool computes the same codes from the key that a user types in', async () => {
  const account = await server.registerAccount()
  const { secret, uri, qr } = (await call(account.token, 'mfa/setup')).body
  expect(uri).toBe(
    `otpauth://totp/Millrace:${encodeURIComponent(account.email)}?secret=${secret}&issuer=Millrace&algorithm=SHA1&digits=6&period=30`,
  )
  expect(qr).toMatch(/^<svg/)
  const code = spawnSync('oathtool', ['--totp', '--base32', secret]).stdout.toString().trim()
  expect((await call(account.token, 'mfa/verify-setup', { code })).body.enabled).toBe(true)
})

test('an authenticator is on after its first code, ends the other sessions, and its user is informed', async () => {
  const account = await server.registerAccount()
  const other = await login(account)
  const { secret } = (await call(account.token, 'mfa/setup')).body
  expect(await call(account.token, 'mfa/verify-setup', { code: '000000' })).toMatchObject({ status: 401, body: { code: 'code_invalid' } })
  expect((await login(account)).status).toBe('signed_in')
  const enabled = await call(account.token, 'mfa/verify-setup', { code: codeOf(secret, 0) })
  expect(enabled).toMatchObject({ status: 200, body: { enabled: true, sessionsEnded: 2 } })
  expect(new Set(enabled.body.recoveryCodes).size).toBe(10)
  expect((await call(other.accessToken, 'me', {}, 'GET')).status).toBe(401)
  expect((await call(account.token, 'mfa/status', {}, 'GET')).body).toMatchObject({ enabled: true, recoveryCodes: 10, phone: null })
  expect(await call(account.token, 'mfa/setup')).toMatchObject({ status: 409, body: { code: 'conflict' } })
  await messageTo(server.url, account.email, 'second factor was added')
})

test('the key of an authenticator and the recovery codes are not readable in the database', async () => {
  const { account, secret, recoveryCodes } = await withTotp()
  const { rows } = await sql<{ secret: Buffer; codes: string }>`
    select t.secret, (select string_agg(encode(hash, 'escape'), ' ') from recovery_codes r where r.user_id = t.user_id) as codes
    from user_totp t where user_id = ${account.userId}`.execute(server.database.system)
  expect(rows[0]?.secret.includes(Buffer.from(base32nopad.decode(secret)))).toBe(false)
  expect(recoveryCodes.filter((code) => rows[0]?.codes.includes(code))).toEqual([])
})

test('a password alone gets a challenge that can do nothing but finish the sign-in', async () => {
  const { account, secret } = await withTotp()
  const { status, challenge, factors, accessToken } = await login(account)
  expect([status, factors, accessToken]).toEqual(['mfa_required', ['totp', 'recovery_code'], undefined])
  expect((await call(challenge, 'me', {}, 'GET')).status).toBe(403)
  expect((await call(challenge, 'mfa/enroll')).status).toBe(403)
  const finished = await call(challenge, 'mfa/verify', { code: codeOf(secret, 1) })
  expect(finished).toMatchObject({ status: 200, body: { status: 'signed_in', user: { email: account.email } } })
  expect((await call(challenge, 'mfa/verify', { code: codeOf(secret, 1) })).status).toBe(401)
})

test('one code used by many sign-ins at once opens one session', async () => {
  const { account, secret } = await withTotp()
  const challenges = await Promise.all([1, 2, 3, 4].map(() => login(account)))
  const code = codeOf(secret, 1)
  const answers = await Promise.all(challenges.map(({ challenge }) => call(challenge, 'mfa/verify', { code })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const again = await login(account)
  expect((await call(again.challenge, 'mfa/verify', { code })).body.code).toBe('code_invalid')
})

test('a recovery code has 120 random bits', async () => {
  const { recoveryCodes } = await withTotp()
  expect(new Set(recoveryCodes).size).toBe(10)
  for (const code of recoveryCodes) expect(code).toMatch(/^(?:[0-9a-hjkmnp-tv-z]{4}-){5}[0-9a-hjkmnp-tv-z]{4}$/)
})

test('a recovery code works once, in any way of writing it', async () => {
  const { account, recoveryCodes } = await withTotp()
  const [first = ''] = recoveryCodes
  const challenges = await Promise.all([1, 2, 3].map(() => login(account)))
  const recoveryCode = first.toUpperCase().replaceAll('-', ' ')
  const answers = await Promise.all(challenges.map(({ challenge }) => call(challenge, 'mfa/verify', { recoveryCode })))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('guessing codes ends the sign-in after five, and blocks the user’s factor whatever sign-in is tried', async () => {
  const { account, secret } = await withTotp()
  const { challenge } = await login(account)
  const guess = (token: string, body: object) => call(token, 'mfa/verify', body)
  for (let i = 0; i < 5; i++) expect((await guess(challenge, { code: String(i).padStart(6, '0') })).status).toBe(401)
  expect((await guess(challenge, { code: codeOf(secret, 1) })).body.code).toBe('unauthenticated')
  const next = await login(account)
  const answers = []
  for (let i = 0; i < 3; i++) answers.push(await guess(next.challenge, { recoveryCode: `0000-0000-0000-000${i}` }))
  expect(answers.map(({ body }) => body.code)).toContain('rate_limited')
})

test('guessing recovery codes ends the sign-in after five, and then blocks even the right one', async () => {
  const { account, recoveryCodes } = await withTotp()
  const { challenge } = await login(account)
  const guesses = ['000a', '000b', '000c', '000d', '000e'].map((end) => ({ recoveryCode: `0000-0000-0000-0000-0000-${end}` }))
  for (const guess of guesses) expect((await call(challenge, 'mfa/verify', guess)).status).toBe(401)
  const [recoveryCode] = recoveryCodes
  expect((await call(challenge, 'mfa/verify', { recoveryCode })).body.code).toBe('unauthenticated')
  const next = await login(account)
  await call(next.challenge, 'mfa/verify', guesses[0])
  expect((await call(next.challenge, 'mfa/verify', { recoveryCode })).body.code).toBe('rate_limited')
})

test('a new password by a link does not get around the second factor', async () => {
  const { account } = await withTotp()
  const { client, email } = account
  await client.auth.passwordForgot({ body: { email } })
  const { links } = await messageTo(server.url, email, 'Set a new password')
  const password = 'yet another phrase 4714 of ours'
  await client.auth.passwordReset({ body: { token: new URL(links[0] ?? '').hash.slice('#token='.length), password } })
  expect((await call('', 'login', { email, password })).body.status).toBe('mfa_required')
})

test('an account that demands a second factor lets a user in only with a new one', async () => {
  const account = await server.registerAccount()
  const policy = { required: true }
  expect(await call(account.token, 'mfa/policy', policy, 'PUT')).toMatchObject({ status: 409, body: { code: 'conflict' } })
  await sql`update accounts set requires_mfa = true where id = ${account.accountId}`.execute(server.database.system)
  const { status, challenge } = await login(account)
  expect(status).toBe('mfa_enrollment_required')
  expect((await call(challenge, 'mfa/verify', { code: '000000' })).status).toBe(403)
  const { secret } = (await call(challenge, 'mfa/enroll')).body
  const finished = await call(challenge, 'mfa/enroll-verify', { code: codeOf(secret, 0) })
  expect(finished).toMatchObject({ status: 200, body: { status: 'signed_in', recoveryCodes: expect.any(Array) } })
  expect(await call(finished.body.accessToken, 'mfa', {}, 'DELETE')).toMatchObject({ status: 409 })
})

test('an operator who demands a second factor has it in every account, and no account can turn that off', async () => {
  await using demanding = await createTestServer({ MILLRACE_SECOND_FACTOR: 'required' })
  const account = await demanding.registerAccount()
  const auth = async (path: string, body: unknown) => (await account.send('POST', `/api/v1/auth/${path}`, body)).body
  expect(await auth('login', { email: account.email, password: account.password })).toMatchObject({ status: 'mfa_enrollment_required' })
  const { secret } = await auth('mfa/setup', {})
  await auth('mfa/verify-setup', { code: codeOf(secret, 0) })
  const refused = { code: 'conflict', detail: expect.stringContaining('operator') }
  expect((await account.send('PUT', '/api/v1/auth/mfa/policy', { required: false })).body).toMatchObject(refused)
  expect((await account.send('PATCH', '/api/v1/account', { requiresMfa: false })).body).toMatchObject(refused)
  expect((await account.send('PATCH', '/api/v1/account', { name: 'Blue River' })).body.requiresMfa).toBe(true)
  // The policy of the account itself stays as it is, and decides again without the setting.
  const { rows } = await sql`select requires_mfa from accounts where id = ${account.accountId}`.execute(demanding.database.system)
  expect(rows).toEqual([{ requires_mfa: false }])
})

test('many demanded enrolments at once, more than there are connections, all begin', async () => {
  const accounts = await Promise.all(Array.from({ length: 8 }, () => server.registerAccount()))
  await sql`update accounts set requires_mfa = true where id = any(${accounts.map(({ accountId }) => accountId)}::uuid[])`.execute(
    server.database.system,
  )
  const challenges: string[] = []
  for (const account of accounts) challenges.push((await login(account)).challenge)
  // Another process, which has not read the root keys yet, and has two connections for them.
  const { url } = await server.startSecond({ MILLRACE_DATABASE_CONNECTIONS: '4' })
  const begun = await Promise.all(
    challenges.map((challenge) =>
      fetch(`${url}/api/v1/auth/mfa/enroll`, { method: 'POST', headers: { authorization: `Bearer ${challenge}` } }),
    ),
  )
  expect(new Set(begun.map(({ status }) => status))).toEqual(new Set([200]))
})

test('the second factor is removed after a recent proof of identity only, and then a password suffices again', async () => {
  const { account, secret } = await withTotp()
  const age = () =>
    sql`update sessions set authenticated_at = now() - interval '11 minutes' where user_id = ${account.userId}`.execute(
      server.database.system,
    )
  await age()
  expect(await call(account.token, 'mfa', {}, 'DELETE')).toMatchObject({ status: 401, body: { code: 'insufficient_authentication' } })
  expect((await call(account.token, 'step-up', { password: account.password })).body.errors).toMatchObject([{ pointer: '/code' }])
  const proved = (await call(account.token, 'step-up', { code: codeOf(secret, 1) })).body
  expect(proved).toMatchObject({ method: 'totp' })
  expect((await call(proved.accessToken, 'mfa', {}, 'DELETE')).body).toEqual({ disabled: true, sessionsEnded: 0 })
  expect((await login(account)).status).toBe('signed_in')
  await age()
  expect(await call(proved.accessToken, 'step-up', { password: 'wrong' })).toMatchObject({
    status: 401,
    body: { code: 'invalid_credentials' },
  })
  const again = (await call(proved.accessToken, 'step-up', { password: account.password })).body
  expect(again).toMatchObject({ method: 'password' })
  expect((await call(again.accessToken, 'mfa/setup')).status).toBe(200)
})

test('a new proof of identity ends the tokens of before and keeps the absolute limit of the session (ASVS 7.2.4)', async () => {
  const account = await server.registerAccount()
  const { accessToken, refreshToken, jti } = await login(account)
  const sessions = async (token: string) => (await call(token, 'sessions', {}, 'GET')).body.data
  const limitOf = async (id: string) =>
    (await sql<{ at: Date }>`select expires_at as at from sessions where id = ${fromTypeId('ses', id)}`.execute(server.database.system))
      .rows[0]?.at
  const count = (await sessions(accessToken)).length
  // The other tests have used most of the failures that one address has.
  await sql`delete from login_throttles`.execute(server.database.system)
  const proofs = await Promise.all([1, 2, 3].map(() => call(accessToken, 'step-up', { password: account.password })))
  expect(
    proofs.map(({ status, body }) => (status === 200 ? 'proved' : body.code)).toSorted((a, b) => String(a).localeCompare(String(b))),
  ).toEqual(['proved', 'unauthenticated', 'unauthenticated'])
  const proof = proofs.find(({ status }) => status === 200)
  const { body } = proof ?? fail()
  expect(body.jti).not.toBe(jti)
  expect(await limitOf(body.jti)).toEqual(await limitOf(jti))
  expect((await call(accessToken, 'me', {}, 'GET')).body.code).toBe('unauthenticated')
  expect((await call('', 'refresh', { refreshToken })).body.code).toBe('refresh_token_invalid')
  expect(await sessions(body.accessToken)).toHaveLength(count)
  expect((await call('', 'refresh', { refreshToken: body.refreshToken })).status).toBe(200)
})

test('a new proof of identity of a browser puts the new refresh token into its cookie', async () => {
  const account = await server.registerAccount()
  const response = await fetch(`${server.url}/api/v1/auth/step-up`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ password: account.password, session: 'cookie' }),
  })
  expect(await response.json()).toMatchObject({ refreshToken: null, accessToken: expect.any(String) })
  const [cookie = ''] = response.headers.getSetCookie()
  expect(cookie).toMatch(/^millrace_refresh=.*; HttpOnly; SameSite=Strict/)
  const headers = { cookie: cookie.split(';')[0] ?? '', 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
  expect((await fetch(`${server.url}/api/v1/auth/refresh`, { method: 'POST', headers, body: '{}' })).status).toBe(200)
})
