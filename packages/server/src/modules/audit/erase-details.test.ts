import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '#testing/server.ts'
import { countEventDetails, eraseEventDetails, listEventDetails } from './erase-details.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const patterns = ['[gG]rault@example']

test('events whose details match a pattern are counted and listed until they are erased, those of the account alone', async () => {
  const db = server.database.system
  const [account, other] = [await server.registerAccount(), await server.registerAccount()]
  for (const [of, address] of [
    [account, 'Grault@example.net'],
    [account, 'a.grault@example.net'],
    [account, 'garply@example.net'],
    [other, 'b.grault@example.net'],
  ] as const)
    expect((await of.send('POST', '/api/v1/account/invitations', { email: address, role: 'viewer' })).status).toBe(200)
  const list = (before?: string, limit = 10) => listEventDetails(db, account.accountId, patterns, { before, limit })
  const events = await list()
  expect(events).toMatchObject([
    { event: 'invitation.created', details: { email: 'a.grault@example.net' }, at: expect.any(Date), fields: ['details'] },
    { event: 'invitation.created', details: { email: 'grault@example.net' } },
  ])
  expect(await countEventDetails(db, account.accountId, patterns)).toBe(2)
  const [newest] = await list(undefined, 1)
  expect([newest, ...(await list(newest?.id, 1))]).toEqual(events)

  expect(await db.transaction().execute((tx) => eraseEventDetails(tx, account.accountId, patterns, 10))).toBe(2)
  expect([await list(), await countEventDetails(db, account.accountId, patterns)]).toEqual([[], 0])
  expect(await countEventDetails(db, other.accountId, patterns)).toBe(1)
})

test('an event is found by the whole address that it came from, which is then the field that matches', async () => {
  const account = await server.registerAccount()
  const events = await listEventDetails(server.database.system, account.accountId, ['0', String.raw`127\.0\.0\.1`], {
    before: undefined,
    limit: 10,
  })
  expect(events.length).toBeGreaterThan(0)
  expect(new Set(events.map(({ ip, fields }) => `${ip} ${fields.join()}`))).toEqual(new Set(['127.0.0.1 address']))
})
