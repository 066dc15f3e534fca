import { base32nopad } from '@scure/base'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { linkTo, messageTo, readOutbox } from '#testing/outbox.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { startDnsStandIn } from '#testing/sign-in/dns-stand-in.ts'
import { followAuthorization, startMockProvider } from '#testing/sign-in/mock-provider.ts'
import { createVisitor } from '#testing/sign-in/visitor.ts'
import { createSoftwarePasskey } from '#testing/software-passkey.ts'
import { startSmtpServer } from '#platform/mail/testing-smtp-server.ts'
import { totpCode } from '#modules/identity/factors/totp.ts'

// Someone registers the address of another person, and prepares every way in. Then the owner of the address proves it for the first time.

let idp: Awaited<ReturnType<typeof startMockProvider>>
let dns: Awaited<ReturnType<typeof startDnsStandIn>>
let server: TestServer
beforeAll(async () => {
  idp = await startMockProvider()
  dns = await startDnsStandIn()
  server = await createTestServer({
    MILLRACE_LOGIN_ONE_ISSUER: idp.issuer,
    MILLRACE_LOGIN_ONE_CLIENT_ID: 'millrace',
    MILLRACE_DNS_SERVERS: dns.address,
    MILLRACE_REGISTRATION: 'open',
  })
})
afterAll(async () => {
  await server.close()
  await idp[Symbol.asyncDispose]()
  await dns[Symbol.asyncDispose]()
})

let people = 0
beforeEach(() => {
  const sub = `sub-${++people}`
  Object.assign(idp.state, { person: { sub, email: `${sub}@example.com`, email_verified: true, name: 'Eve' }, change: undefined })
})

const auth = '/api/v1/auth'
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const newPassword = 'a wholly different phrase 4713'

async function followLink(account: TestAccount) {
  const visitor = createVisitor(server)
  const started = await visitor.post(`${auth}/identities`, { provider: 'loginone' }, bearer(account.token))
  const fields = await followAuthorization(started.body.authorizationUrl)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const returned = await visitor.post(`${auth}/loginone/callback`, new URLSearchParams(fields).toString(), form)
  return { exchange: () => visitor.post(`${auth}/exchange`, { code: returned.body.code }) }
}

async function addPasskey(account: TestAccount) {
  const passkey = createSoftwarePasskey()
  const { request, options } = (await account.send('POST', `${auth}/passkeys/options`, {})).body
  await account.send('POST', `${auth}/passkeys`, { request, name: 'Laptop', credential: passkey.create(options.challenge) })
  return async () => {
    const asked = (await account.send('POST', `${auth}/passkeys/sign-in/options`, {})).body
    const assertion = { request: asked.request, credential: passkey.get(asked.options.challenge) }
    return await account.send('POST', `${auth}/passkeys/sign-in`, { passkey: assertion })
  }
}

/** Registers an address, and returns the ways in that work for who has registered it. */
async function prepare() {
  const account = await server.registerAccount()
  const { email, password, accountId, userId } = account
  const key = (await account.send('POST', '/api/v1/api-keys', { name: 'Door', scopes: ['workflows:read'] })).body.secret
  const passkeySignIn = await addPasskey(account)
  await (await followLink(account)).exchange()
  await account.send('DELETE', `${auth}/identities/loginone`)
  const linking = await followLink(account)
  await account.send('POST', `${auth}/mfa/setup`, {})
  await sql`insert into user_phones (user_id, account_id, number, second_factor, verified_at)
    values (${userId}, ${accountId}, ${`+49151${String(people).padStart(8, '0')}`}, false, now())`.execute(server.database.system)
  const login = await account.send('POST', `${auth}/login`, { email, password })
  const ways = {
    session: () => account.send('GET', `${auth}/me`),
    secondSession: () => account.send('GET', `${auth}/me`, undefined, bearer(login.body.accessToken)),
    refresh: () => account.send('POST', `${auth}/refresh`, { refreshToken: login.body.refreshToken }),
    apiKey: () => account.send('GET', '/api/v1/workflows', undefined, bearer(key)),
    passkey: passkeySignIn,
  }
  for (const [name, way] of Object.entries(ways)) if (name !== 'refresh') expect((await way()).status, name).toBe(200)
  return { account, ways: { ...ways, password: () => account.send('POST', `${auth}/login`, { email, password }) }, linking }
}

const rowsOf = async (userId: string) => {
  const { rows } = await sql<Record<string, number>>`select
    (select count(*)::int from identities where user_id = ${userId}) as identities,
    (select count(*)::int from passkeys where user_id = ${userId}) as passkeys,
    (select count(*)::int from user_phones where user_id = ${userId}) as phones,
    (select count(*)::int from user_totp where user_id = ${userId}) as totp,
    (select count(*)::int from external_sign_ins where user_id = ${userId}) as linking`.execute(server.database.system)
  return rows[0]
}
const nothing = { identities: 0, passkeys: 0, phones: 0, totp: 0, linking: 0 }

async function byMagicLink({ email, send }: TestAccount) {
  const linksOf = async () =>
    (await readOutbox(server.url)).filter((mail) => mail.recipient === email && mail.subject.includes('sign-in link'))
  const { length } = await linksOf()
  const { request } = (await send('POST', `${auth}/magic-link`, { email })).body
  await expect.poll(async () => (await linksOf()).length).toBe(length + 1)
  return await send('POST', `${auth}/magic-link/verify`, { token: await linkTo(server.url, email, 'sign-in link'), request })
}

async function byReset({ email, send }: TestAccount, password = newPassword) {
  await send('POST', `${auth}/password/forgot`, { email })
  return await send('POST', `${auth}/password/reset`, { token: await linkTo(server.url, email, 'Set a new password'), password })
}

describe.each([
  ['a sign-in link', byMagicLink],
  ['a new password by a link', byReset],
])('the first proof of an address by %s', (_name, prove) => {
  test('ends every way in that was prepared before, and informs the owner', async () => {
    const { account, ways, linking } = await prepare()
    expect((await prove(account)).status).toBe(200)
    for (const [name, way] of Object.entries(ways)) expect((await way()).status, name).toBe(401)
    expect(await rowsOf(account.userId)).toEqual(nothing)
    // An identity whose linking had begun is not linked any more.
    expect((await linking.exchange()).status).toBe(401)
    const mail = await messageTo(server.url, account.email, 'Earlier ways to sign in')
    expect(mail.text).toContain('API keys: 1')
  })

  test('is the only one that removes anything', async () => {
    const account = await server.registerAccount()
    await prove(account)
    const { accessToken } = (await byMagicLink(account)).body
    const key = await account.send('POST', '/api/v1/api-keys', { name: 'Own', scopes: ['workflows:read'] }, bearer(accessToken))
    expect((await byMagicLink(account)).status).toBe(200)
    expect((await account.send('GET', `${auth}/me`, undefined, bearer(accessToken))).status).toBe(200)
    expect((await account.send('GET', '/api/v1/workflows', undefined, bearer(key.body.secret))).status).toBe(200)
  })

  test('does not get around a confirmed second factor', async () => {
    const account = await server.registerAccount()
    await sql`insert into user_totp (user_id, account_id, secret, confirmed_at, created_at)
      values (${account.userId}, ${account.accountId}, ${Buffer.from('sealed')}, now(), now())`.execute(server.database.system)
    await prove(account)
    expect((await byMagicLink(account)).body).toMatchObject({ status: 'mfa_required' })
  })
})

test('the mail of the registration confirms the address for a session of the user only, and keeps everything', async () => {
  const { account, ways } = await prepare()
  const token = await linkTo(server.url, account.email, 'Confirm')
  const other = await server.registerAccount()
  const path = `${auth}/verify-email`
  const anonymous = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  })
  expect([anonymous.status, await anonymous.json()]).toMatchObject([
    401,
    { code: 'unauthenticated', detail: expect.stringContaining('Sign in') },
  ])
  expect((await other.send('POST', path, { token })).status).toBe(401)
  expect(await account.send('POST', path, { token })).toMatchObject({ status: 200, body: { verified: true } })
  for (const name of ['session', 'secondSession', 'apiKey', 'passkey', 'password'] as const)
    expect((await ways[name]()).status, name).toBe(200)
  expect((await byMagicLink(account)).body.status).toBe('signed_in')
  expect((await ways.password()).status).toBe(200)
  expect(
    (await readOutbox(server.url)).filter(({ recipient, subject }) => recipient === account.email && subject.includes('Earlier')),
  ).toEqual([])
})

test('a provider that creates a user confirms the address, so a later link removes nothing', async () => {
  const visitor = createVisitor(server)
  const started = await visitor.get(`${auth}/loginone`)
  const fields = await followAuthorization(started.body.authorizationUrl)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const returned = await visitor.post(`${auth}/loginone/callback`, new URLSearchParams(fields).toString(), form)
  const { user } = (await visitor.post(`${auth}/exchange`, { code: returned.body.code })).body
  const account = await server.registerAccount()
  expect((await byMagicLink({ ...account, email: user.email })).body.user.id).toBe(user.id)
  const { rows } = await sql`select from identities where email = ${user.email}`.execute(server.database.system)
  expect(rows).toHaveLength(1)
})

test('linking a provider that has verified the same address confirms it and keeps everything', async () => {
  const account = await server.registerAccount()
  idp.state.person = { ...idp.state.person, email: account.email }
  expect((await (await followLink(account)).exchange()).status).toBe(200)
  expect((await account.send('GET', `${auth}/me`)).body.emailVerified).toBe(true)
  expect((await account.send('POST', `${auth}/login`, { email: account.email, password: account.password })).status).toBe(200)
})

test('the provider of an account that takes over a user without a way in ends what the user had before', async () => {
  const owner = await server.registerAccount()
  const domain = `company${people}.example`
  const added = (await owner.send('POST', '/api/v1/account/domains', { domain })).body
  dns.records.set(added.record.name, added.record.value)
  await owner.send('POST', `/api/v1/account/domains/${added.id}/verify`)
  await owner.send('PUT', '/api/v1/account/sign-in-providers/oidc', { name: 'Own', issuer: idp.issuer, clientId: 'millrace' })
  const email = `ada@${domain}`
  idp.state.person = { ...idp.state.person, email }
  await owner.send('POST', '/api/v1/account/invitations', { email, role: 'member' })
  const token = await linkTo(server.url, email, 'Invitation')
  const joined = (await owner.send('POST', `${auth}/invitations/accept`, { token, password: newPassword })).body
  await sql`delete from user_passwords where user_id in (select id from users where email = ${email})`.execute(server.database.system)
  await sql`update users set email_verified_at = null where email = ${email}`.execute(server.database.system)
  const visitor = createVisitor(server)
  const started = await visitor.get(`${auth}/oidc/login?email=${email}`)
  const query = new URLSearchParams(await followAuthorization(started.body.authorizationUrl))
  const returned = await visitor.get(`${auth}/oidc/callback?${query.toString()}`)
  const signedIn = await visitor.post(`${auth}/exchange`, { code: returned.body.code })
  expect(signedIn.body.user).toMatchObject({ id: joined.user.id, email })
  expect((await owner.send('GET', `${auth}/me`, undefined, bearer(joined.accessToken))).status).toBe(401)
  expect((await owner.send('GET', `${auth}/me`, undefined, bearer(signedIn.body.accessToken))).status).toBe(200)
})

test('a password that is replaced while a sign-in with it is being checked opens no session', async () => {
  const account = await server.registerAccount()
  const { email, password, userId } = account
  const { system } = server.database
  const replaced = await system.transaction().execute(async (tx) => {
    await sql`update user_passwords set hash = 'another', changed_at = now() where user_id = ${userId}`.execute(tx)
    // The hash that the sign-in reads is still the former one; it waits for this transaction before it opens a session.
    const login = account.send('POST', `${auth}/login`, { email, password })
    const waiting = async () => (await sql`select from pg_stat_activity where wait_event_type = 'Lock'`.execute(system)).rows.length
    await expect.poll(waiting).toBeGreaterThan(0)
    return { login }
  })
  expect(await replaced.login).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
})

test('with a mail server no second factor is added before the address is confirmed, so that its owner is not locked out', async () => {
  await using smtp = await startSmtpServer()
  await using mailing = await createTestServer({
    MILLRACE_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    MILLRACE_SMTP_TLS: 'off',
    MILLRACE_MAIL_FROM: 'Millrace <flows@example.com>',
    MILLRACE_PUBLIC_URL: 'https://millrace.example.com',
    MILLRACE_SMS_URL: 'http://127.0.0.1:9/messages',
    MILLRACE_SMS_COUNTRIES: 'DE',
  })
  const { send, userId } = await mailing.registerAccount()
  const refused = { status: 409, body: { code: 'conflict', detail: expect.stringContaining('resend-verification') } }
  expect(await send('POST', `${auth}/mfa/setup`, {})).toMatchObject(refused)
  expect(await send('POST', `${auth}/phone/enroll`, { number: '+4915112345678' })).toMatchObject(refused)
  const confirm = (at: Date | null) => sql`update users set email_verified_at = ${at} where id = ${userId}`.execute(mailing.database.system)
  await confirm(new Date())
  const { secret } = (await send('POST', `${auth}/mfa/setup`, {})).body
  const code = totpCode(base32nopad.decode(secret), Math.floor(Date.now() / 30_000))
  // A key from before, such as of a time without a mail server, is not turned on either.
  await confirm(null)
  expect(await send('POST', `${auth}/mfa/verify-setup`, { code })).toMatchObject(refused)
  await confirm(new Date())
  expect((await send('POST', `${auth}/mfa/verify-setup`, { code })).status).toBe(200)
})

test('a new password by a link removes no second factor of a user whose address was confirmed before', async () => {
  const account = await server.registerAccount()
  await sql`update users set email_verified_at = now() where id = ${account.userId}`.execute(server.database.system)
  const { secret } = (await account.send('POST', `${auth}/mfa/setup`, {})).body
  const code = totpCode(base32nopad.decode(secret), Math.floor(Date.now() / 30_000))
  expect((await account.send('POST', `${auth}/mfa/verify-setup`, { code })).status).toBe(200)
  expect((await byReset(account)).status).toBe(200)
  const login = await account.send('POST', `${auth}/login`, { email: account.email, password: newPassword })
  expect(login.body).toMatchObject({ status: 'mfa_required', factors: ['totp', 'recovery_code'] })
})
