import { createExecutionReader } from '@millrace/engine/storage'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { typeParsers } from '#platform/db/parsers.ts'
import { newId, toTypeId } from '#platform/ids.ts'
import { createTestDatabase } from '#testing/database.ts'
import { digestOf, takeExecutionEvents } from './execution-events.ts'

let pool: pg.Pool
let made: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  made = await createTestDatabase()
  pool = new pg.Pool({ connectionString: made.url, max: 1, types: typeParsers })
})
afterAll(async () => {
  await pool.end()
  await made.drop()
})

const mebibyte = 1024 * 1024
const accountId = newId()

/** An execution with an input and an output of so many bytes together. */
async function insertExecution(inputBytes: number, outputBytes: number): Promise<string> {
  const id = newId()
  await sql`
    insert into executions (id, account_id, workflow_id, version_id, state, trigger, actor, input, output, created_at, started_at, ended_at)
    values (${id}, ${accountId}, ${accountId}, ${accountId}, 'completed', 'manual', 'user:x', to_json(repeat('i', ${inputBytes}::int - 2)),
      to_json(repeat('o', ${outputBytes}::int - 2)), now(), now(), now())`.execute(made.database.system)
  return id
}

const reader = () => createExecutionReader({ pool, versionQuery: 'select 1 as number' })
const keysOf = (ids: readonly string[]) => ids.map((id) => ({ accountId, id }))

test('executions are read until their inputs and outputs have so many bytes, and those that are missing count as read', async () => {
  const [first, second, third] = [await insertExecution(10, 10), await insertExecution(10, 10), await insertExecution(10, 10)]
  const read = async (ids: readonly string[], bytesMax: number) => (await reader().facts(keysOf(ids), bytesMax)).map((facts) => facts?.id)
  const missing = newId()
  expect(await read([first, second, third], 60)).toEqual([first, second, third])
  expect(await read([first, second, third], 40)).toEqual([first, second])
  expect(await read([first, second, third], 1)).toEqual([first])
  expect(await read([missing, first, missing, second, third], 1)).toEqual([undefined, first, undefined])
  expect(await read([missing, first, missing], 1)).toEqual([undefined, first, undefined])
  expect(await read([missing], 1)).toEqual([undefined])
})

test('the events of executions with large inputs are made of parts of at most some 32 MiB, and of small ones with one statement', async () => {
  const db = made.database.system
  const list = async (ids: readonly string[]) => {
    // What a trigger has listed.
    await sql`delete from audit_pending_executions`.execute(db)
    await sql`insert into audit_pending_executions (account_id, execution_ids, phase) values (${accountId}, ${ids}::uuid[], 'ended')`.execute(
      db,
    )
  }
  const parts: number[] = []
  const take = async () => {
    parts.length = 0
    const facts = async (keys: Parameters<ReturnType<typeof reader>['facts']>[0], bytesMax: number) => {
      const found = await reader().facts(keys, bytesMax)
      parts.push(found.length)
      return found
    }
    return db.transaction().execute((tx) => takeExecutionEvents(tx, { reader: { facts } }, 1_000))
  }
  const large: string[] = []
  for (let count = 0; count < 3; count++) large.push(await insertExecution(12 * mebibyte, 4 * mebibyte))
  await list(large)
  const { taken, events } = await take()
  expect([taken, parts]).toEqual([3, [2, 1]])
  expect(events.map(({ target }) => target)).toEqual(large.map((id) => toTypeId('exec', id)))
  expect(new Set(events.map(({ outputDigest }) => outputDigest))).toEqual(new Set([digestOf('o'.repeat(4 * mebibyte - 2))]))
  const small: string[] = []
  for (let count = 0; count < 20; count++) small.push(await insertExecution(20, 20))
  await list(small)
  expect((await take()).events).toHaveLength(20)
  expect(parts).toEqual([20])
})
