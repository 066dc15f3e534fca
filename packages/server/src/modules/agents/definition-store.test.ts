import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#testing/database.ts'
import { newId } from '#platform/ids.ts'
import { forgetUnused, insertDefinition, useDefinition } from './definition-store.ts'

test('a definition that a run has just found is not forgotten, however old it is', async () => {
  await using made = await createTestDatabase()
  const db = made.database.system
  const accountId = newId()
  await sql`insert into accounts (id, name) values (${accountId}, 'Ada')`.execute(db)
  const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 12, minute))
  const [first, second] = [newId(), newId()]
  await insertDefinition(db, accountId, { digest: 'first', workflowId: first, at: at(0) })
  await insertDefinition(db, accountId, { digest: 'second', workflowId: second, at: at(1) })
  expect(await useDefinition(db, accountId, 'first', at(2))).toBe(first)
  expect(await forgetUnused(db, accountId, 1)).toEqual([second])
  expect(await useDefinition(db, accountId, 'second', at(3))).toBeUndefined()
})
