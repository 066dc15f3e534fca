import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '#testing/server.ts'
import { startMockProvider, followAuthorization } from '#testing/sign-in/mock-provider.ts'
import { createVisitor } from '#testing/sign-in/visitor.ts'

const password = 'four words make sense'
let provider: Awaited<ReturnType<typeof startMockProvider>>
let server: TestServer
let closed: ReturnType<typeof createVisitor>
beforeAll(async () => {
  provider = await startMockProvider()
  // Reached from elsewhere, so the default applies: open until there is an operator.
  server = await createTestServer({
    HOST: '0.0.0.0',
    MILLRACE_LOGIN_ONE_ISSUER: provider.issuer,
    MILLRACE_LOGIN_ONE_CLIENT_ID: 'millrace',
    MILLRACE_PUBLIC_URL: 'http://millrace.test',
  })
  closed = createVisitor(await server.startSecond({ MILLRACE_REGISTRATION: 'closed' }))
})
afterAll(async () => {
  await server.close()
  await provider[Symbol.asyncDispose]()
})

const visitor = () => createVisitor(server)
const register = (email: string, more: object = {}, caller = visitor()) =>
  caller.post('/api/v1/auth/register', { email, password, ...more })
const methods = async (caller = visitor()) => (await caller.get('/api/v1/auth/methods')).body
const modeOf = async (caller = visitor()) => (await methods(caller)).registration

test('registration is open until the installation has an operator, and then for invited people', async () => {
  expect(await methods()).toMatchObject({ registration: 'open', hasUsers: false })
  expect((await register('early@example.com')).status).toBe(200)
  expect((await methods()).hasUsers).toBe(true)
  const operator = await register('root@example.com', { operatorCode: server.operatorCode })
  expect(operator.status).toBe(200)

  expect(await modeOf()).toBe('invite')
  const refused = await register('late@example.com')
  expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden', detail: expect.stringContaining('invitation') } })

  const bearer = { authorization: `Bearer ${operator.body.accessToken}` }
  const invited = await visitor().post('/api/v1/account/invitations', { email: 'late@example.com' }, bearer)
  const acceptance = { token: invited.body.token, password }
  expect(await closed.post('/api/v1/auth/invitations/accept', acceptance)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  expect((await visitor().post('/api/v1/auth/invitations/accept', acceptance)).status).toBe(200)
  expect((await closed.post('/api/v1/account/invitations', { email: 'more@example.com' }, bearer)).body.code).toBe('forbidden')
})

test('closed registration admits no one but the first operator', async () => {
  expect(await modeOf(closed)).toBe('closed')
  expect((await register('closed@example.com', {}, closed)).body).toMatchObject({
    code: 'forbidden',
    detail: expect.stringContaining('MILLRACE_REGISTRATION'),
  })
  await using fresh = await createTestServer({ MILLRACE_REGISTRATION: 'closed' })
  const first = await register('root@example.com', { operatorCode: fresh.operatorCode }, createVisitor(fresh))
  expect(first.status).toBe(200)
})

test('a provider of the installation makes no account where registration is by invitation', async () => {
  const browser = createVisitor(await server.startSecond({ MILLRACE_REGISTRATION: 'invite' }))
  const person = { sub: 'sub-1', email: 'external@example.com', email_verified: true, name: 'Ada' }
  Object.assign(provider.state, { person })
  const started = await browser.get('/api/v1/auth/loginone')
  const fields = await followAuthorization(started.body.authorizationUrl)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const returned = await browser.post('/api/v1/auth/loginone/callback', new URLSearchParams(fields).toString(), form)
  expect(await browser.post('/api/v1/auth/exchange', { code: returned.body.code })).toMatchObject({
    status: 403,
    body: { code: 'sign_in_not_permitted', detail: expect.stringContaining('invitation to external@example.com') },
  })
})
