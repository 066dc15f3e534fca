import { afterAll, beforeAll, expect, test } from 'vitest'
import { goodPassword, type IdentityServer, startIdentityServer } from '#testing/identity-server.ts'

let server: IdentityServer
beforeAll(async () => {
  server = await startIdentityServer()
})
afterAll(() => server[Symbol.asyncDispose]())

test('whoever registers owns a new account and is signed in', async () => {
  const { status, body } = await server.call('POST', '/api/v1/auth/register', {
    body: { email: 'ada@example.com', password: goodPassword, name: 'Ada Lovelace', accountName: 'Analytical Engines' },
  })
  expect(status).toBe(200)
  expect(body.user).toMatchObject({ email: 'ada@example.com', name: 'Ada Lovelace', role: 'owner' })
  const me = await server.call('GET', '/api/v1/auth/me', { token: body.accessToken })
  expect(me.status).toBe(200)
  expect(me.body).toMatchObject({
    id: body.user.id,
    email: 'ada@example.com',
    role: 'owner',
    isOperator: false,
    credential: 'session',
    account: { id: body.user.accountId, name: 'Analytical Engines' },
  })
  expect(me.body.scopes).toContain('account:security')
})
