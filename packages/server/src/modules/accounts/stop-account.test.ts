import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { documentOf, greets, waits } from '#testing/definitions.ts'
import { createTestServer } from '#testing/server.ts'

test('an account that is deleted starts nothing any more, and what it ran is cancelled, parked or not', async () => {
  await using server = await createTestServer()
  const [account, other] = [await server.registerAccount(), await server.registerAccount()]
  for (const one of [account, other]) {
    const { id } = await one.client.workflows.create({ body: { definition: documentOf(waits) } })
    for (let count = 0; count < 3; count++) await one.client.workflows.execute({ params: { id }, body: {} })
  }
  const done = await account.client.workflows.create({ body: { definition: documentOf(greets) } })
  await account.client.execute.run({ params: { id: done.id }, body: {} })
  await account.client.auth.deleteMe()
  const states = async (accountId: string) => {
    const { rows } = await sql<{ state: string }>`select state from executions where account_id = ${accountId}`.execute(
      server.database.system,
    )
    return rows.map(({ state }) => state).toSorted()
  }
  await expect.poll(() => states(account.accountId)).toEqual(['cancelled', 'cancelled', 'cancelled', 'completed'])
  expect(await states(other.accountId)).not.toContain('cancelled')
  const { rows } = await sql`select from workflows where account_id = ${account.accountId} and deleted_at is null`.execute(
    server.database.system,
  )
  expect(rows).toEqual([])
  expect((await account.send('GET', '/api/v1/workflows')).status).toBe(401)
})
