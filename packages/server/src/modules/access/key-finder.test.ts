import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Prepared } from '#platform/db/prepared.ts'
import { newId } from '#platform/ids.ts'
import { type IdentityServer, startIdentityServer } from '#testing/identity-server.ts'
import { createKeyFinder, writeKeyUses } from './store.ts'

let server: IdentityServer
let counted: Prepared
let queries = 0
const prefixes: string[] = []
beforeAll(async () => {
  server = await startIdentityServer({ connectionsMax: 10 })
  for (let i = 0; i < 20; i++) {
    const { accessToken } = await server.register(`user${i}@example.com`)
    const issued = await server.call('POST', '/api/v1/api-keys', { token: accessToken, body: { name: 'x', scopes: ['account:read'] } })
    prefixes.push(issued.body.start)
  }
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

test('the keys of all requests of a turn are found with one query', async () => {
  const find = createKeyFinder(counted)
  const found = await Promise.all([...prefixes, 'mlr_00000000', ...prefixes].map(find))
  expect(queries).toBe(1)
  expect(found.map((keys) => keys.length)).toEqual([...prefixes.map(() => 1), 0, ...prefixes.map(() => 1)])
})

test('nothing is remembered from one look-up to the next', async () => {
  const find = createKeyFinder(counted)
  const prefix = prefixes[0] ?? ''
  expect(await find(prefix)).toHaveLength(1)
  await sql`update api_keys set revoked_at = now() from api_key_secrets s where s.key_id = api_keys.id and s.prefix = ${prefix}`.execute(
    server.db,
  )
  expect(await find(prefix)).toEqual([])
  expect(queries).toBe(2)
})

test('processes that write the use of the same keys in different orders do not block each other for good', async () => {
  const { rows } = await sql<{ readonly id: string }>`select id from api_keys`.execute(server.db)
  const keys = rows.map(({ id }) => id)
  const uses = (ids: readonly string[], n: number) => new Map(ids.map((id) => [id, new Date(server.clock.at + n)]))
  const rounds = Array.from({ length: 20 }, (_, n) => n)
  await Promise.all(rounds.map((n) => writeKeyUses(server.db, uses(n % 2 === 0 ? keys : keys.toReversed(), n))))
  const last = await sql<{ readonly at: Date }>`select distinct last_used_at as at from api_keys`.execute(server.db)
  expect(last.rows).toEqual([{ at: new Date(server.clock.at + 19) }])
})

test('the use of a key that is gone is no error', async () => {
  await expect(writeKeyUses(server.db, new Map([[newId(), server.now()]]))).resolves.toBeUndefined()
})
