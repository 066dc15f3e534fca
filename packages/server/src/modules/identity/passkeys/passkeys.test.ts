import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { messageTo } from '#testing/outbox.ts'
import { createTestServer, type TestAccount, type TestServer } from '#testing/server.ts'
import { createSoftwarePasskey, type PasskeyChanges, type SoftwarePasskey } from '#testing/software-passkey.ts'
import { relyingPartyOf } from './relying-party.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

async function call(token: string, path: string, body: unknown = {}, method = 'POST') {
  const response = await fetch(`${server.url}/api/v1/auth/${path}`, {
    method,
    headers: { ...(token === '' ? {} : { authorization: `Bearer ${token}` }), 'content-type': 'application/json' },
    ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

async function add(account: TestAccount, passkey: SoftwarePasskey, changes: PasskeyChanges = {}) {
  const { request, options } = (await call(account.token, 'passkeys/options')).body
  return await call(account.token, 'passkeys', { request, name: 'Laptop', credential: passkey.create(options.challenge, changes) })
}

async function assertion(passkey: SoftwarePasskey, changes: PasskeyChanges = {}) {
  const { request, options } = (await call('', 'passkeys/sign-in/options')).body
  return { request, credential: passkey.get(options.challenge, changes) }
}

const signIn = async (passkey: SoftwarePasskey, changes: PasskeyChanges = {}) =>
  await call('', 'passkeys/sign-in', { passkey: await assertion(passkey, changes) })

async function withPasskey() {
  const [account, passkey] = [await server.registerAccount(), createSoftwarePasskey()]
  const { body } = await add(account, passkey)
  return { account, passkey, id: String(body.id) }
}

const demandFactor = (account: TestAccount) =>
  sql`update accounts set requires_mfa = true where id = ${account.accountId}`.execute(server.database.system)

test('a passkey is added, signs in alone, is listed, and its user is informed', async () => {
  const { account, passkey } = await withPasskey()
  await demandFactor(account)
  const signedIn = await signIn(passkey)
  expect(signedIn.body).toMatchObject({ status: 'signed_in', user: { email: account.email } })
  expect((await call(signedIn.body.accessToken, 'passkeys', {}, 'GET')).body.data).toMatchObject([
    { name: 'Laptop', synced: false, lastUsedAt: expect.any(String) },
  ])
  await messageTo(server.url, account.email, 'passkey was added')
})

test.each<[string, PasskeyChanges]>([
  ['of a page of another origin', { origin: 'http://evil.example' }],
  ['of a look-alike origin', { origin: 'http://localhost.evil.example:8080' }],
  ['for another relying party', { party: 'evil.example' }],
  ['of a device that was not unlocked', { isVerified: false }],
  ['of another user', { userHandle: Buffer.alloc(16).toString('base64url') }],
  ['made for another ceremony', { type: 'webauthn.create' }],
])('a signature %s is refused', async (_name, changes) => {
  const { passkey } = await withPasskey()
  expect(await signIn(passkey, changes)).toMatchObject({ status: 401, body: { code: 'code_invalid' } })
})

test('a challenge is accepted once, by one of concurrent requests, and not after its time', async () => {
  const { passkey } = await withPasskey()
  const given = await assertion(passkey)
  const replies = await Promise.all([1, 2, 3].map(() => call('', 'passkeys/sign-in', { passkey: given })))
  expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401, 401])
  const late = await assertion(passkey)
  await sql`update passkey_challenges set expires_at = now() - interval '1 second'`.execute(server.database.system)
  expect((await call('', 'passkeys/sign-in', { passkey: late })).status).toBe(401)
})

test('a copy of a passkey, whose counter does not grow, is refused', async () => {
  const { passkey } = await withPasskey()
  await sql`update passkeys set counter = 1000 where credential_id = ${passkey.id}`.execute(server.database.system)
  expect((await signIn(passkey)).status).toBe(401)
})

test('what one user began, another cannot finish, and a passkey belongs to one user', async () => {
  const [{ passkey }, other] = [await withPasskey(), await server.registerAccount()]
  expect(await add(other, passkey)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  const third = await server.registerAccount()
  const { request, options } = (await call(other.token, 'passkeys/options')).body
  const credential = createSoftwarePasskey().create(options.challenge)
  expect(await call(third.token, 'passkeys', { request, name: 'x', credential })).toMatchObject({
    status: 401,
    body: { code: 'code_invalid' },
  })
  expect((await add(third, createSoftwarePasskey(), { origin: 'https://evil.example' })).status).toBe(401)
})

test('where a second factor is demanded, a passkey is one, and the last one stays', async () => {
  const { account, passkey, id } = await withPasskey()
  const otherPasskey = (await withPasskey()).passkey
  await demandFactor(account)
  const first = async () => (await call('', 'login', { email: account.email, password: account.password })).body
  expect(await first()).toMatchObject({ status: 'mfa_required', factors: ['passkey'] })
  const { challenge } = await first()
  expect((await call(challenge, 'mfa/verify', { passkey: await assertion(otherPasskey) })).status).toBe(401)
  const { body } = await call(challenge, 'mfa/verify', { passkey: await assertion(passkey) })
  expect(body.status).toBe('signed_in')
  expect(await call(body.accessToken, `passkeys/${id}`, {}, 'DELETE')).toMatchObject({ status: 409, body: { code: 'conflict' } })
  expect((await call(body.accessToken, 'mfa/status', {}, 'GET')).body.passkeys).toBe(1)
})

test('a passkey proves the own identity again, and after its removal nothing', async () => {
  const { account, passkey, id } = await withPasskey()
  const other = await withPasskey()
  await sql`update sessions set authenticated_at = now() - interval '1 hour' where account_id = ${account.accountId}`.execute(
    server.database.system,
  )
  expect(await call(account.token, `passkeys/${id}`, {}, 'DELETE')).toMatchObject({ body: { code: 'insufficient_authentication' } })
  expect((await call(account.token, 'step-up', { passkey: await assertion(other.passkey) })).status).toBe(401)
  const { body: proved } = await call(account.token, 'step-up', { passkey: await assertion(passkey) })
  expect(proved).toMatchObject({ method: 'passkey' })
  expect((await call(proved.accessToken, `passkeys/${other.id}`, {}, 'DELETE')).status).toBe(404)
  expect((await call(proved.accessToken, `passkeys/${id}`, {}, 'DELETE')).body).toMatchObject({ id, deleted: true })
  expect((await signIn(passkey)).status).toBe(401)
})

test('the relying party is the host of the installation, and none where that is an address', () => {
  const party = relyingPartyOf('https://flow.example.com/base')
  expect(party?.id).toBe('flow.example.com')
  expect(
    ['https://flow.example.com', 'http://flow.example.com', 'https://flow.example.com.evil.example'].map((origin) =>
      party?.isOrigin(origin),
    ),
  ).toEqual([true, false, false])
  expect(['https://192.0.2.1', 'https://[2001:db8::1]:8443'].map((url) => relyingPartyOf(url))).toEqual([undefined, undefined])
})

test('an installation without a host name offers no passkeys', async () => {
  await using bare = await createTestServer({ MILLRACE_PUBLIC_URL: 'https://192.0.2.1' })
  const post = await fetch(`${bare.url}/api/v1/auth/passkeys/sign-in/options`, { method: 'POST' })
  expect(await post.json()).toMatchObject({ status: 503, code: 'passkeys_unavailable' })
  expect(await (await fetch(`${bare.url}/api/v1/auth/methods`)).json()).toMatchObject({ passkey: false })
})
