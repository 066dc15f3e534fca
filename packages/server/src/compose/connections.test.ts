import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createTestDatabase } from '#testing/database.ts'
import { openEnginePool, shareConnections } from './connections.ts'
import { createLogger } from './logger.ts'

const nowhere = createLogger(
  'info',
  new Writable({
    write(_chunk, _encoding, done) {
      done()
    },
  }),
)

test('the locks of a process that stalls in a transaction are released before others have waited long', async () => {
  await using testing = await createTestDatabase()
  const pool = openEnginePool({ url: testing.url, shares: shareConnections(16), logger: nowhere })
  try {
    const { rows } = await pool.query('show idle_in_transaction_session_timeout')
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: '10s' }])
  } finally {
    await pool.end()
  }
})

test.each([2, 4, 16, 33, 100])('%d connections are divided without exceeding the total', (connectionsMax) => {
  const { queue, engine, database } = shareConnections(connectionsMax)
  expect(Math.min(queue, engine)).toBeGreaterThanOrEqual(1)
  expect(database).toBeGreaterThanOrEqual(2)
  expect(queue + engine + database).toBeLessThanOrEqual(Math.max(connectionsMax, 4))
})
