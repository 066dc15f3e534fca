import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

test('the settings are read without a row in the audit log, and their ETag guards a change', async () => {
  const account = await server.registerAccount()
  await account.send('PATCH', '/api/v1/account', { name: 'Blue River', locale: 'ar-SA', timeZone: 'Asia/Riyadh', retentionDays: 90 })
  const rows = async () =>
    (await sql`select from audit_events where account_id = ${account.accountId}`.execute(server.database.system)).rows.length
  const before = await rows()
  const read = await account.send('GET', '/api/v1/account/settings')
  expect(read.body).toMatchObject({ name: 'Blue River', locale: 'ar-SA', timeZone: 'Asia/Riyadh', retentionDays: 90, requiresMfa: false })
  expect(await rows()).toBe(before)
  const etag = read.headers.get('etag') ?? ''
  const rename = (name: string) => account.send('PATCH', '/api/v1/account', { name }, { 'if-match': etag })
  expect((await rename('Red River')).body.name).toBe('Red River')
  expect((await rename('Green River')).body.code).toBe('revision_mismatch')
  const other = await server.registerAccount()
  expect((await other.send('GET', '/api/v1/account/settings')).body.name).toBe(other.email)
})
