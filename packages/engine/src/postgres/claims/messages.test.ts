import { expect, test } from 'vitest'
import { testAccount, testDatabase } from '#testing/postgres-parts.ts'
import { newUuid } from '#testing/uuid.ts'
import { findMessages } from './messages.ts'

test('messages are read in the order in which they were sent, beyond the tenth as well', async () => {
  const { pool } = await testDatabase()
  const executionId = newUuid()
  const sent = Array.from({ length: 120 }, (_, index) => index)
  await pool.query(
    `insert into messages (account_id, execution_id, position, value) select $1, $2, '/do/0/hear', to_json(n) from unnest($3::int[]) with ordinality as s(n, place) order by place`,
    [testAccount, executionId, sent],
  )
  const found = (await findMessages(pool, [executionId])).get(executionId) ?? []
  expect(found.map(({ value }) => value)).toEqual(sent)
})
