import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Rows } from '#platform/db/rows.ts'
import { faultOf } from '#platform/http/response/problem.ts'
import { createTestServer, type TestServer } from '#testing/server.ts'

/** An account may be deleted between the moment at which a request is authenticated and that at which it writes. */

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

/** Waits until a statement waits for the lock that the test holds. */
async function someoneWaits(db: Kysely<Rows>): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 1`.execute(db)
    if (rows.length > 0) return
  }
}

test('a request of an account that is deleted before it writes is a 401, and nothing is logged as an error', async () => {
  const account = await server.registerAccount()
  const { system } = server.database
  const body = { name: 'x', url: 'http://127.0.0.1:9/', types: ['a'] }
  const requesting = await system.transaction().execute(async (tx) => {
    await sql`delete from accounts where id = ${account.accountId}`.execute(tx)
    const sent = account.send('POST', '/api/v1/events/subscriptions', body)
    await someoneWaits(system)
    return { sent }
  })
  const answer = await requesting.sent
  expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated'])
  expect(answer.headers.get('www-authenticate')).toContain('Bearer')
  expect(server.log.filter((line) => line.includes('request failed'))).toEqual([])
})

test('every foreign key to an account or a user is known by its name, and no other is taken for one', async () => {
  const { rows } = await sql<{ readonly name: string; readonly target: string }>`
    select conname as name, confrelid::regclass::text as target from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0`.execute(server.database.system)
  expect(rows.length).toBeGreaterThan(5)
  for (const { name, target } of rows) {
    const isCaller = target === 'accounts' || target === 'users'
    expect([name, faultOf({ code: '23503', constraint: name }).code]).toEqual([name, isCaller ? 'unauthenticated' : 'internal'])
  }
})
