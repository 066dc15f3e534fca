import { createHash, createHmac, createPublicKey, generateKeyPairSync, type JsonWebKey, sign } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fromTypeId } from '#platform/ids.ts'
import { createTestServer, type TestServer } from '#testing/server.ts'
import { followAuthorization, startMockProvider } from '#testing/sign-in/mock-provider.ts'
import { createVisitor } from '#testing/sign-in/visitor.ts'

let one: Awaited<ReturnType<typeof startMockProvider>>
let two: typeof one
let server: TestServer
beforeAll(async () => {
  one = await startMockProvider()
  two = await startMockProvider()
  server = await createTestServer({
    MILLRACE_PUBLIC_URL: 'http://millrace.test',
    MILLRACE_CORS_ORIGINS: 'https://app.example.com',
    MILLRACE_LOGIN_ONE_ISSUER: one.issuer,
    MILLRACE_LOGIN_ONE_CLIENT_ID: 'millrace',
    MILLRACE_LOGIN_ONE_CLIENT_SECRET: 'a secret',
    MILLRACE_LOGIN_ONE_NAME: 'First',
    MILLRACE_LOGIN_TWO_ISSUER: two.issuer,
    MILLRACE_LOGIN_TWO_CLIENT_ID: 'millrace',
  })
})
afterAll(async () => {
  await server.close()
  await one[Symbol.asyncDispose]()
  await two[Symbol.asyncDispose]()
})

let people = 0
let person = { sub: '', email: '', email_verified: true, name: 'Ada' }
beforeEach(() => {
  people += 1
  person = { sub: `sub-${people}`, email: `person${people}@example.com`, email_verified: true, name: 'Ada' }
  for (const provider of [one, two]) Object.assign(provider.state, { person, change: undefined })
})

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const asForm = (fields: Record<string, string>) => new URLSearchParams(fields).toString()

/** Signs in with the first provider as a browser would, up to the exchange. */
async function signIn(visitor = createVisitor(server)) {
  const started = await visitor.get('/api/v1/auth/loginone')
  const fields = await followAuthorization(started.body.authorizationUrl)
  const returned = await visitor.post('/api/v1/auth/loginone/callback', asForm(fields), form)
  return { visitor, fields, returned, exchange: () => visitor.post('/api/v1/auth/exchange', { code: returned.body.code }) }
}

async function signInTwo(visitor = createVisitor(server)) {
  const started = await visitor.get('/api/v1/auth/logintwo')
  const query = new URLSearchParams(await followAuthorization(started.body.authorizationUrl))
  return visitor.get(`/api/v1/auth/logintwo/callback?${query.toString()}`)
}

describe('a sign-in', () => {
  test('a form of the provider leads to a session of a new account', async () => {
    const { exchange } = await signIn()
    const { status, body } = await exchange()
    expect(status).toBe(200)
    expect(body.user).toMatchObject({ email: person.email, name: 'Ada', role: 'owner' })
    const me = await fetch(`${server.url}/api/v1/auth/me`, { headers: { authorization: `Bearer ${body.accessToken}` } })
    expect(me.status).toBe(200)
  })

  test('the second sign-in of a person finds the same user, also after the address has changed', async () => {
    const first = (await (await signIn()).exchange()).body.user
    one.state.person = { ...person, email: `renamed-${person.email}` }
    const second = (await (await signIn()).exchange()).body.user
    expect(second).toEqual(first)
  })

  test('the request to the provider has PKCE, state, nonce and the exact redirect URI', async () => {
    const { body } = await createVisitor(server).get('/api/v1/auth/loginone')
    const parameters = Object.fromEntries(new URL(body.authorizationUrl).searchParams)
    expect(parameters).toMatchObject({
      response_type: 'code',
      response_mode: 'form_post',
      code_challenge_method: 'S256',
      redirect_uri: 'http://millrace.test/api/v1/auth/loginone/callback',
      scope: 'openid email profile',
    })
    for (const name of ['state', 'nonce', 'code_challenge']) expect(parameters[name]?.length).toBeGreaterThanOrEqual(43)
  })

  test('a browser that navigates gets pages that continue, and the code is in the fragment only', async () => {
    const visitor = createVisitor(server)
    const html = { accept: 'text/html,application/xhtml+xml' }
    const started = await visitor.get('/api/v1/auth/loginone?returnTo=/after', html)
    expect(started.headers.get('content-type')).toContain('text/html')
    const target = /<a href="(?<url>[^"]*)"/.exec(started.body)?.groups?.['url']?.replaceAll('&#38;', '&') ?? ''
    const returned = await visitor.post('/api/v1/auth/loginone/callback', asForm(await followAuthorization(target)), { ...form, ...html })
    const code = /url=http:\/\/millrace\.test\/after#code=(?<code>[\w-]{43})"/.exec(returned.body)?.groups?.['code']
    expect((await visitor.post('/api/v1/auth/exchange', { code })).status).toBe(200)
  })

  test('a refusal of the provider leads a browser back with the reason', async () => {
    const visitor = createVisitor(server)
    const { body } = await visitor.get('/api/v1/auth/loginone')
    const state = new URL(body.authorizationUrl).searchParams.get('state') ?? ''
    const returned = await visitor.post('/api/v1/auth/loginone/callback', asForm({ state, error: 'access_denied' }), {
      ...form,
      accept: 'text/html',
    })
    expect(returned.status).toBe(200)
    expect(returned.body).toContain('#error=external_sign_in_failed')
    expect(returned.body).toContain('access_denied')
  })

  test('parameters that only the provider knows are ignored', async () => {
    const visitor = createVisitor(server)
    const { body } = await visitor.get('/api/v1/auth/logintwo')
    const query = new URLSearchParams({ ...(await followAuthorization(body.authorizationUrl)), session_state: 'x', authuser: '0' })
    expect((await visitor.get(`/api/v1/auth/logintwo/callback?${query.toString()}`)).status).toBe(200)
  })
})

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const attacker = generateKeyPairSync('rsa', { modulusLength: 2048 })
const attackerJwk = attacker.publicKey.export({ format: 'jwk' })

/** The token with another header, signed with the key of the attacker. */
function resigned(token: string, header: object): string {
  const signed = `${encoded({ alg: 'RS256', typ: 'JWT', ...header })}.${token.split('.')[1]}`
  return `${signed}.${sign('sha256', Buffer.from(signed), attacker.privateKey).toString('base64url')}`
}

/** The token with a MAC whose secret is the public key of the provider in a usual encoding. */
function maced(token: string, jwk: JsonWebKey, type: 'spki' | 'pkcs1'): string {
  const secret = createPublicKey({ key: jwk, format: 'jwk' }).export({ type, format: 'pem' })
  const signed = `${encoded({ alg: 'HS256', typ: 'JWT', kid: jwk['kid'] })}.${token.split('.')[1]}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

const idTokenForgeries: Readonly<Record<string, (token: string, jwk: JsonWebKey) => string>> = {
  'without a signature (alg none)': (token) => `${encoded({ alg: 'none', typ: 'JWT' })}.${token.split('.')[1]}.`,
  'with a MAC by the public key (PEM, SPKI) of the provider': (token, jwk) => maced(token, jwk, 'spki'),
  'with a MAC by the public key (PEM, PKCS 1) of the provider': (token, jwk) => maced(token, jwk, 'pkcs1'),
  'signed by another key under the kid of the provider': (token, jwk) => resigned(token, { kid: jwk['kid'] }),
  'whose kid is a path': (token) => resigned(token, { kid: '../../../../dev/null' }),
  'whose kid is SQL': (token) => resigned(token, { kid: "' or '1'='1" }),
  'with its key in the header': (token, jwk) => resigned(token, { kid: jwk['kid'], jwk: attackerJwk }),
  'with a URL of its key in the header': (token, jwk) => resigned(token, { kid: jwk['kid'], jku: 'https://evil.example/jwks' }),
  'in sloppy base64url': (token) => `${token}=`,
}

describe('abuse of the return', () => {
  test('a state is accepted once', async () => {
    const { visitor, fields } = await signIn()
    expect(await visitor.post('/api/v1/auth/loginone/callback', asForm(fields), form)).toMatchObject({
      status: 401,
      body: { code: 'external_sign_in_failed' },
    })
  })

  test('a state of one provider is refused by the callback of another', async () => {
    const visitor = createVisitor(server)
    const { body } = await visitor.get('/api/v1/auth/loginone')
    const query = new URLSearchParams(await followAuthorization(body.authorizationUrl))
    expect(await visitor.get(`/api/v1/auth/logintwo/callback?${query.toString()}`)).toMatchObject({ status: 401 })
  })

  test('a code of one sign-in is refused in another, whose nonce it lacks', async () => {
    const visitor = createVisitor(server)
    const [first, second] = [await visitor.get('/api/v1/auth/logintwo'), await visitor.get('/api/v1/auth/logintwo')]
    const { code = '' } = await followAuthorization(first.body.authorizationUrl)
    const state = new URL(second.body.authorizationUrl).searchParams.get('state') ?? ''
    expect(await visitor.get(`/api/v1/auth/logintwo/callback?${new URLSearchParams({ code, state }).toString()}`)).toMatchObject({
      status: 401,
    })
  })

  test('an issuer in the response that is not the provider is refused', async () => {
    const visitor = createVisitor(server)
    const { body } = await visitor.get('/api/v1/auth/logintwo')
    const query = new URLSearchParams({ ...(await followAuthorization(body.authorizationUrl)), iss: one.issuer })
    expect(await visitor.get(`/api/v1/auth/logintwo/callback?${query.toString()}`)).toMatchObject({ status: 401 })
  })

  test.each([
    ['another issuer', { iss: 'https://evil.example' }],
    ['another audience', { aud: 'another client' }],
    ['another nonce', { nonce: 'another' }],
    ['an end in the past', { exp: 1 }],
  ])('an ID token with %s is refused', async (_name, claims) => {
    two.state.change = (token) => void Object.assign(token.payload, claims)
    expect(await signInTwo()).toMatchObject({ status: 401, body: { code: 'external_sign_in_failed' } })
  })

  test.each(Object.keys(idTokenForgeries))('an ID token %s is refused', async (kind) => {
    const { keys } = JSON.parse(await (await fetch(`${two.issuer}/jwks`)).text())
    let forged: string | undefined
    two.server.service.once('beforeResponse', (response: { body: unknown }) => {
      const body: unknown = response.body
      if (typeof body !== 'object' || body === null || !('id_token' in body) || typeof body.id_token !== 'string') return
      forged = idTokenForgeries[kind]?.(body.id_token, keys[0])
      response.body = { ...body, id_token: forged }
    })
    expect(await signInTwo()).toMatchObject({ status: 401, body: { code: 'external_sign_in_failed' } })
    expect(forged?.split('.')).toHaveLength(3)
  })

  test.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/\t/evil.example',
    'https://app.example.com.evil.example/',
    'https://app.example.com@evil.example/',
    'javascript:alert(1)',
    'http://user:pass@millrace.test/',
  ])('the browser is never sent to %s', async (returnTo) => {
    const visitor = createVisitor(server)
    expect(await visitor.get(`/api/v1/auth/loginone?${new URLSearchParams({ returnTo }).toString()}`)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/returnTo', in: 'query' }] },
    })
  })

  test('the browser may return to an origin of MILLRACE_CORS_ORIGINS', async () => {
    const visitor = createVisitor(server)
    expect((await visitor.get('/api/v1/auth/loginone?returnTo=https://app.example.com/in')).status).toBe(200)
  })
})

describe('the exchange', () => {
  test('a code that is used twice at once opens one session', async () => {
    const { exchange } = await signIn()
    const statuses = (await Promise.all(Array.from({ length: 8 }, exchange))).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401, 401, 401, 401, 401])
  })

  test('a code is worthless in another browser, and spent by the attempt', async () => {
    const { returned, exchange } = await signIn()
    const otherBrowser = createVisitor(server)
    await otherBrowser.get('/api/v1/auth/loginone')
    const stolen = await otherBrowser.post('/api/v1/auth/exchange', { code: returned.body.code })
    expect(stolen).toMatchObject({ status: 401, body: { code: 'sign_in_code_invalid' } })
    expect((await exchange()).status).toBe(401)
  })

  test('an account that demands a second factor demands it of an external sign-in too', async () => {
    const { body } = await (await signIn()).exchange()
    const accountId = fromTypeId('acct', body.user.accountId)
    await sql`update accounts set requires_mfa = true where id = ${accountId}`.execute(server.database.system)
    const second = await (await signIn()).exchange()
    expect(second).toMatchObject({ status: 200, body: { status: 'mfa_enrollment_required' } })
    expect(second.body.accessToken).toBeUndefined()
  })

  test('a code expires', async () => {
    const { exchange } = await signIn()
    await sql`update external_sign_ins set code_expires_at = now() - interval '1 second' where code_hash is not null`.execute(
      server.database.system,
    )
    expect((await exchange()).status).toBe(401)
  })

  test.each([
    ['its verifier opens a session', 'v'.repeat(43), 200],
    ['another verifier does not', 'w'.repeat(43), 401],
  ])('of a program without cookies: %s', async (_name, verifier, status) => {
    const visitor = createVisitor(server)
    const challenge = createHash('sha256').update('v'.repeat(43)).digest('base64url')
    const { body } = await visitor.get(`/api/v1/auth/logintwo?challenge=${challenge}`)
    const query = new URLSearchParams(await followAuthorization(body.authorizationUrl))
    const { code } = (await createVisitor(server).get(`/api/v1/auth/logintwo/callback?${query.toString()}`)).body
    expect((await createVisitor(server).post('/api/v1/auth/exchange', { code, verifier })).status).toBe(status)
  })
})

describe('users that exist', () => {
  test('a user who registered the address before is neither taken over nor linked', async () => {
    await server.client.auth.register({ body: { email: person.email, password: 'four words make sense' } })
    expect(await (await signIn()).exchange()).toMatchObject({ status: 409, body: { code: 'identity_not_linked' } })
    const { rows } = await sql`select from identities where subject = ${person.sub}`.execute(server.database.system)
    expect(rows).toEqual([])
  })

  test.each([
    ['Cyrillic a', 'аda@example.com'],
    ['Kelvin sign', 'mi\u212Ae@example.com'],
    ['fullwidth letters', 'ａｄａ@example.com'],
    ['a domain in other letters', 'ada@exаmple.com'],
  ])('an address with %s is refused', async (_name, email) => {
    one.state.person = { ...person, email }
    expect(await (await signIn()).exchange()).toMatchObject({ status: 403, body: { code: 'sign_in_not_permitted' } })
  })

  test.each([false, undefined])('an address whose verification is %s creates no account', async (verified) => {
    one.state.person = { ...person, email_verified: verified }
    expect(await (await signIn()).exchange()).toMatchObject({ status: 403, body: { code: 'sign_in_not_permitted' } })
  })
})

describe('linking', () => {
  async function link(account: Awaited<ReturnType<TestServer['registerAccount']>>) {
    const visitor = createVisitor(server)
    const headers = { authorization: `Bearer ${account.token}` }
    const started = await visitor.post('/api/v1/auth/identities', { provider: 'logintwo' }, headers)
    if (started.status !== 200) return started
    const query = new URLSearchParams(await followAuthorization(started.body.authorizationUrl))
    const { code } = (await visitor.get(`/api/v1/auth/logintwo/callback?${query.toString()}`)).body
    return visitor.post('/api/v1/auth/exchange', { code })
  }

  test('a linked identity signs the user in, is listed, and can be unlinked', async () => {
    const account = await server.registerAccount()
    expect((await link(account)).body.user.email).toBe(account.email)
    const { body: list } = await account.send('GET', '/api/v1/auth/identities')
    expect(list.data).toMatchObject([{ provider: 'logintwo', issuer: two.issuer, subject: person.sub, email: person.email }])
    expect((await account.send('DELETE', '/api/v1/auth/identities/logintwo')).status).toBe(200)
    expect((await account.send('DELETE', '/api/v1/auth/identities/logintwo')).status).toBe(404)
  })

  test('an identity is linked to one user', async () => {
    const [first, second] = [await server.registerAccount(), await server.registerAccount()]
    expect((await link(first)).status).toBe(200)
    expect(await link(second)).toMatchObject({ status: 409, body: { code: 'identity_in_use' } })
  })

  test('linking and unlinking need a recent proof of identity', async () => {
    const account = await server.registerAccount()
    await link(account)
    await sql`update sessions set authenticated_at = now() - interval '11 minutes' where account_id = ${account.accountId}`.execute(
      server.database.system,
    )
    const refusal = { status: 401, body: { code: 'insufficient_authentication' } }
    expect(await account.send('POST', '/api/v1/auth/identities', { provider: 'loginone' })).toMatchObject(refusal)
    expect(await account.send('DELETE', '/api/v1/auth/identities/logintwo')).toMatchObject(refusal)
  })

  test('the last way in cannot be unlinked', async () => {
    const { body } = await (await signIn()).exchange()
    const response = await fetch(`${server.url}/api/v1/auth/identities/loginone`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${body.accessToken}` },
    })
    expect([response.status, await response.json()]).toMatchObject([409, { code: 'last_sign_in_method' }])
  })
})
