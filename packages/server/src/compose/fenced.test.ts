import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { documentOf, greets } from '#testing/definitions.ts'
import { createTestServer } from '#testing/server.ts'

test('a fenced process refuses to start executions with 503 and Retry-After, and accepts the repetition once it is registered again', async () => {
  await using server = await createTestServer()
  const { system } = server.database
  const account = await server.registerAccount()
  const { body: workflow } = await account.send('POST', '/api/v1/workflows', { definition: documentOf(greets) })
  await account.send('POST', `/api/v1/workflows/${workflow.id}/publish`)
  // As recovery by another process does it; the trigger keeps the process from registering again.
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'not yet'; end $$`.execute(system)
  await sql`create trigger refuse before insert on processes execute function refuse()`.execute(system)
  await sql`delete from processes`.execute(system)

  const key = { 'idempotency-key': randomUUID() }
  const execute = () => account.send('POST', `/api/v1/workflows/${workflow.id}/execute`, { input: { name: 'Ada' } }, key)
  const refused = await execute()
  expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([503, 'database_unavailable', '5'])

  await sql`drop trigger refuse on processes`.execute(system)
  await expect.poll(async () => (await execute()).status).toBeLessThan(300)
})
