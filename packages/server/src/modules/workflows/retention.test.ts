import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Rows } from '#platform/db/rows.ts'
import { createTestDatabase } from '#testing/database.ts'
import { addWorkflow, day, idAt } from '#testing/executions.ts'
import { readRetentionPeriods } from './retention.ts'

test('the retention of executions is that of the definition, or else of the account, or else of the installation', async () => {
  await using db = await createTestDatabase()
  const { system } = db.database
  const account = await addAccount(system, 5 * day)
  const own = await addWorkflow(system, { account, retention: 'P50D' })
  const ofAccount = await addWorkflow(system, { account })
  const ofForever = await addWorkflow(system, { account: await addAccount(system, undefined) })
  await addWorkflow(system, {})
  const unreadable = await addWorkflow(system, { account, retention: 'a fortnight' })
  expect(await readRetentionPeriods(system)).toEqual(
    new Map([
      [own, 50 * day],
      [ofAccount, 5 * day],
      [ofForever, undefined],
      [unreadable, 5 * day],
    ]),
  )
})

async function addAccount(db: Kysely<Rows>, ms: number | undefined): Promise<string> {
  const id = idAt(Date.now())
  await sql`insert into accounts (id, name) values (${id}, 'A')`.execute(db)
  await sql`insert into account_retention (account_id, milliseconds) values (${id}, ${ms ?? null})`.execute(db)
  return id
}
