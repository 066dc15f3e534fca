import { afterAll, beforeAll, expect, test } from 'vitest'
import { toTypeId } from '#platform/ids.ts'
import { startOfrepServer } from '#testing/ofrep-server.ts'
import { createTestServer, type TestServer } from '#testing/server.ts'

let ofrep: Awaited<ReturnType<typeof startOfrepServer>>
let server: TestServer
beforeAll(async () => {
  ofrep = await startOfrepServer('a token of OFREP')
  ofrep.flags.set('isMagicLinkEnabled', false)
  server = await createTestServer({ MILLRACE_FLAGS_URL: `${ofrep.url}/`, MILLRACE_FLAGS_TOKEN: 'a token of OFREP' })
})
afterAll(async () => {
  await server.close()
  await ofrep[Symbol.asyncDispose]()
})

const post = (path: string) =>
  fetch(`${server.url}/api/v1/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"email":"a@b.example"}',
  })

test('an operation whose flag the provider has off is a 404 and no way to sign in, and one that it does not know is configured', async () => {
  expect([(await post('magic-link')).status, (await post('password/forgot')).status]).toEqual([404, 200])
  const methods = await (await fetch(`${server.url}/api/v1/auth/methods`)).json()
  expect(methods).toMatchObject({ magicLink: false, passwordReset: true })
})

test('the provider decides by account, and an account without the flag gets a 404 before anything else', async () => {
  const [chosen, other] = [await server.registerAccount(), await server.registerAccount()]
  ofrep.flags.set('isGuardianReceiptEnabled', (key) => key === toTypeId('acct', chosen.accountId))
  const path = '/api/v1/archivist/runs/no-id/guardian-receipt?unknown=1'
  expect((await chosen.send('GET', path)).body.code).not.toBe('route_not_found')
  expect((await other.send('GET', path)).body.code).toBe('route_not_found')
})
