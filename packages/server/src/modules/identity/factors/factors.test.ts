import { spawnSync } from 'node:child_process'
import { base32nopad } from '@scure/base'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

/** An account whose user has an authenticator; the step before the current one is used up. */
async function withTotp() {
  const account = await server.registerAccount()
  const { secret } = (await call(account.token, 'mfa/setup')).body
  const { body } = await call(account.token, 'mfa/verify-setup', { code: codeOf(secret, -1) })
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
  const finished = await call(challenge, 'mfa/verify', { code: codeOf(secret, 0) })
  expect(finished).toMatchObject({ status: 200, body: { status: 'signed_in', user: { email: account.email } } })
  expect((await call(challenge, 'mfa/verify', { code: codeOf(secret, 1) })).status).toBe(401)
})

test('one code used by many sign-ins at once opens one session', async () => {
  const { account, secret } = await withTotp()
  const challenges = await Promise.all([1, 2, 3, 4].map(() => login(account)))
  const code = codeOf(secret, 0)
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
  expect((await guess(challenge, { code: codeOf(secret, 0) })).body.code).toBe('unauthenticated')
  const next = await login(account)
  const answers = []
  for (let i = 0; i < 3; i++) answers.push(await guess(next.challenge, { recoveryCode: `0000-0000-0000-000${i}` }))
  expect(answers.map(({ body }) => body.code)).toContain('rate_limited')
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

test('the second factor is removed after a recent proof of identity only, and then a password suffices again', async () => {
  const { account, secret } = await withTotp()
  const age = () =>
    sql`update sessions set authenticated_at = now() - interval '11 minutes' where user_id = ${account.userId}`.execute(
      server.database.system,
    )
  await age()
  expect(await call(account.token, 'mfa', {}, 'DELETE')).toMatchObject({ status: 401, body: { code: 'insufficient_authentication' } })
  expect((await call(account.token, 'step-up', { password: account.password })).body.errors).toMatchObject([{ pointer: '/code' }])
  expect((await call(account.token, 'step-up', { code: codeOf(secret, 0) })).body).toMatchObject({ method: 'totp' })
  expect((await call(account.token, 'mfa', {}, 'DELETE')).body).toEqual({ disabled: true, sessionsEnded: 0 })
  expect((await login(account)).status).toBe('signed_in')
  await age()
  expect(await call(account.token, 'step-up', { password: 'wrong' })).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
  expect((await call(account.token, 'step-up', { password: account.password })).body).toMatchObject({ method: 'password' })
  expect((await call(account.token, 'mfa/setup')).status).toBe(200)
})
