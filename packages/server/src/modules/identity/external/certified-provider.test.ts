import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '#testing/server.ts'
import { startMockProvider } from '#testing/sign-in/mock-provider.ts'
import { signInAtProvider, startOidcProvider } from '#testing/sign-in/oidc-provider.ts'
import { createVisitor } from '#testing/sign-in/visitor.ts'

const origin = 'http://millrace.test'
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const refused = { status: 401, body: { code: 'external_sign_in_failed' } }

let certified: Awaited<ReturnType<typeof startOidcProvider>>
let misbehaving: Awaited<ReturnType<typeof startMockProvider>>
let server: TestServer
let publicServer: Awaited<ReturnType<TestServer['startSecond']>>
beforeAll(async () => {
  certified = await startOidcProvider(['loginone', 'logintwo'].map((name) => `${origin}/api/v1/auth/${name}/callback`))
  misbehaving = await startMockProvider()
  server = await createTestServer({
    MILLRACE_PUBLIC_URL: origin,
    MILLRACE_LOGIN_ONE_ISSUER: certified.issuer,
    MILLRACE_LOGIN_ONE_CLIENT_ID: 'millrace',
    MILLRACE_LOGIN_ONE_CLIENT_SECRET: certified.clientSecret,
    MILLRACE_LOGIN_TWO_ISSUER: misbehaving.issuer,
    MILLRACE_LOGIN_TWO_CLIENT_ID: 'millrace',
  })
  publicServer = await server.startSecond({ MILLRACE_LOGIN_TWO_ISSUER: certified.issuer, MILLRACE_LOGIN_TWO_CLIENT_ID: 'public' })
})
afterAll(async () => {
  await server.close()
  await certified[Symbol.asyncDispose]()
  await misbehaving[Symbol.asyncDispose]()
})

let people = 0
beforeEach(() => {
  people += 1
  certified.state.person = { sub: `certified-${people}`, email: `certified${people}@example.com`, email_verified: true, name: 'Ada' }
})

/** Signs in at the certified provider with the form of `loginone`, and returns the fields that it would post. */
async function begin(visitor = createVisitor(server)) {
  const { body } = await visitor.get('/api/v1/auth/loginone')
  const fields = await signInAtProvider(body.authorizationUrl)
  return { visitor, fields, post: (more = fields) => visitor.post('/api/v1/auth/loginone/callback', asForm(more), form) }
}

function asForm(fields: Record<string, string>): string {
  return new URLSearchParams(fields).toString()
}

test('a certified provider signs a person in by a form, with the address from its user information', async () => {
  const { visitor, post } = await begin()
  const { body } = await visitor.post('/api/v1/auth/exchange', { code: (await post()).body.code })
  expect(body.user).toMatchObject({ email: certified.state.person['email'], name: 'Ada', role: 'owner' })
  const again = await begin()
  const second = await again.visitor.post('/api/v1/auth/exchange', { code: (await again.post()).body.code })
  expect(second.body.user).toEqual(body.user)
})

test('a certified provider signs a person in by a redirect, for a public client with PKCE alone', async () => {
  const visitor = createVisitor(publicServer)
  const { body } = await visitor.get('/api/v1/auth/logintwo')
  const response = await signInAtProvider(body.authorizationUrl)
  expect(response).toMatchObject({ iss: certified.issuer })
  const returned = await visitor.get(`/api/v1/auth/logintwo/callback?${asForm(response)}`)
  const { body: exchanged } = await visitor.post('/api/v1/auth/exchange', { code: returned.body.code })
  expect(exchanged.user.email).toBe(certified.state.person['email'])
})

test('an address that a certified provider has not verified creates no account', async () => {
  certified.state.person = { ...certified.state.person, email_verified: false }
  const { visitor, post } = await begin()
  expect(await visitor.post('/api/v1/auth/exchange', { code: (await post()).body.code })).toMatchObject({
    status: 403,
    body: { code: 'sign_in_not_permitted' },
  })
})

test('a code that was stolen at the certified provider is refused in the sign-in of the thief, whose PKCE verifier and nonce differ', async () => {
  const [victim, thief] = [await begin(), await begin()]
  expect(await thief.post({ ...thief.fields, code: victim.fields['code'] ?? '' })).toMatchObject(refused)
})

test('a response of the certified provider without its issuer, or with that of the misbehaving one, is refused', async () => {
  const { iss: _, ...without } = (await begin()).fields
  const first = await begin()
  expect(await first.post({ ...without, state: first.fields['state'] ?? '' })).toMatchObject(refused)
  const second = await begin()
  expect(await second.post({ ...second.fields, iss: misbehaving.issuer })).toMatchObject(refused)
})

test('a misbehaving provider that leads the browser to a certified one gets neither its code nor a sign-in', async () => {
  const visitor = createVisitor(server)
  const { body } = await visitor.get('/api/v1/auth/logintwo')
  const state = new URL(body.authorizationUrl).searchParams.get('state') ?? ''
  const { code = '', iss = '' } = (await begin()).fields
  const asked: unknown[] = []
  misbehaving.server.service.on('beforeResponse', (_response: unknown, request: unknown) => asked.push(request))
  expect(await visitor.get(`/api/v1/auth/logintwo/callback?${asForm({ state, code, iss })}`)).toMatchObject(refused)
  expect(asked).toEqual([])
})
