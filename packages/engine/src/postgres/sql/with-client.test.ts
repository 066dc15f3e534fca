import { expect, test } from 'vitest'
import { executionIn, testDatabase } from '#testing/postgres-parts.ts'
import { newUuid } from '#testing/uuid.ts'
import { createProcessIdentity } from '#postgres/claims/process-identity.ts'
import { inTransaction, withClient } from './with-client.ts'

test('a failed transaction is rolled back and returns its connection to the pool', async () => {
  const { pool } = await testDatabase()
  const id = newUuid()
  const failing = inTransaction(pool, async (client) => {
    await client.query(`insert into processes values ($1, 'h', 1, now(), now())`, [id])
    throw new Error('half-way')
  })
  await expect(failing).rejects.toThrow('half-way')
  expect((await pool.query('select from processes where id = $1', [id])).rowCount).toBe(0)
  expect(pool.totalCount).toBe(pool.idleCount)
})

test('a connection that is cut between two statements ends neither the process nor the pool', async () => {
  const db = await testDatabase()
  const cut = withClient(db.pool, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const gone = new Promise((resolve) => client.once('end', resolve))
    await db.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    await gone
    return client.query('select 1')
  })
  await expect(cut).rejects.toThrow(/connection|queryable/i)
  expect(await executionIn(db, newUuid())).toBeUndefined()
})

test('a transaction returns the result of its function', async () => {
  const { pool } = await testDatabase()
  expect(await inTransaction(pool, async (client) => (await client.query<{ n: number }>('select 7 as n')).rows[0]?.n)).toBe(7)
})

test('a process identity has a new id after each renewal, and checks whether a pid exists', () => {
  const identity = createProcessIdentity({ host: 'h', pid: 5, newId: newUuid, works: true, lives: (pid) => pid === 6 })
  const first = identity.id()
  expect(identity.id()).toBe(first)
  identity.renew()
  expect(identity.id()).not.toBe(first)
  expect([identity.lives(6), identity.lives(7), identity.host, identity.pid]).toEqual([true, false, 'h', 5])
})
