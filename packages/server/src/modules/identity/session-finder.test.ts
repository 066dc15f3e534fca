import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Prepared } from '#platform/db/prepared.ts'
import { newId } from '#platform/ids.ts'
import { type IdentityServer, startIdentityServer } from '#testing/identity-server.ts'
import { createSessionFinder } from './session-store.ts'
import { writeSessionUses } from './session-store.ts'

let server: IdentityServer
let counted: Prepared
let queries = 0
const sessions: string[] = []
beforeAll(async () => {
  server = await startIdentityServer({ connectionsMax: 10 })
  for (let i = 0; i < 20; i++) await server.register(`user${i}@example.com`)
  const { rows } = await sql<{ readonly id: string }>`select id from sessions`.execute(server.db)
  sessions.push(...rows.map(({ id }) => id))
  const { prepared } = server.database
  counted = {
    query(statement) {
      queries++
      return prepared.query(statement)
    },
  }
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(() => {
  queries = 0
})

test('the sessions of all requests of a turn are found with one query', async () => {
  const find = createSessionFinder({ prepared: counted, now: server.now })
  const asked = [...sessions, ...sessions, newId()]
  const found = await Promise.all(asked.map(find))
  expect(queries).toBe(1)
  expect(found.slice(0, 20).every((session) => session?.role === 'owner')).toBe(true)
  expect(found.slice(20, 40)).toEqual(found.slice(0, 20))
  expect(found.at(-1)).toBeUndefined()
})

test('each session found is the one that was asked for', async () => {
  const find = createSessionFinder({ prepared: server.database.prepared, now: server.now })
  const { rows } = await sql<{ readonly id: string; readonly user_id: string }>`select id, user_id from sessions order by random()`.execute(
    server.db,
  )
  const found = await Promise.all(rows.map(({ id }) => find(id)))
  expect(found.map((session) => session?.userId)).toEqual(rows.map((row) => row.user_id))
})

test('nothing is remembered from one look-up to the next', async () => {
  const find = createSessionFinder({ prepared: counted, now: server.now })
  const id = sessions[0] ?? ''
  expect(await find(id)).toBeDefined()
  await sql`update sessions set revoked_at = now(), revoked_because = 'revoked' where id = ${id}`.execute(server.db)
  expect(await find(id)).toBeUndefined()
  expect(queries).toBe(2)
})

test('a query that fails fails the look-ups that it was for, and no others', async () => {
  const find = createSessionFinder({ prepared: counted, now: server.now })
  const wrong = Promise.allSettled([find('no uuid'), find(sessions[1] ?? '')])
  expect((await wrong).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await find(sessions[1] ?? '')).toBeDefined()
})

test('processes that write the use of the same sessions in different orders do not block each other for good', async () => {
  const at = server.clock.at + 3_600_000
  const uses = (ids: readonly string[], n: number) => new Map(ids.map((id) => [id, { at: new Date(at + n), ip: '198.51.100.1' }]))
  const rounds = Array.from({ length: 20 }, (_, n) => n)
  await Promise.all(rounds.map((n) => writeSessionUses(server.db, uses(n % 2 === 0 ? sessions : sessions.toReversed(), n))))
  const last = await sql<{ readonly at: Date }>`select distinct last_used_at as at from sessions`.execute(server.db)
  expect(last.rows).toEqual([{ at: new Date(at + 19) }])
})

test('the use of a session that is gone is no error', async () => {
  await expect(writeSessionUses(server.db, new Map([[newId(), { at: server.now(), ip: '::1' }]]))).resolves.toBeUndefined()
})
