import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

test('the same consent to transfers again is the record that is in force, and another one replaces it', async () => {
  const { client } = await server.registerAccount()
  const terms = { purposes: ['Orders'], regions: ['US'], expiresAt: '2100-01-01T00:00:00Z' }
  const { id } = await client.account.giveCrossBorder({ body: terms })
  expect((await client.account.giveCrossBorder({ body: terms })).id).toBe(id)
  const other = await client.account.giveCrossBorder({ body: { ...terms, purposes: ['Orders', 'Support'] } })
  const { history } = await client.account.consents()
  expect(history.map((consent) => [consent.id, consent.state])).toEqual([
    [other.id, 'given'],
    [id, 'replaced'],
  ])
})
