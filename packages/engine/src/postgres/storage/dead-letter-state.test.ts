import { randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { expect, test } from 'vitest'
import { createEngineDatabase } from '#testing/database.ts'
import { type DeadLetterState, deadLetterStates, deadLetterTransitions, isOpenSql, mayFollow } from './dead-letter-state.ts'
import { deleteOldDeadLetters, insertDeliveryDeadLetters, markDeadLetterReplayed } from './dead-letters.ts'

const at = new Date()

test('statements change the state of a dead letter only as the table of transitions allows, and together make all of them', async () => {
  await using made = await createEngineDatabase()
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool: made.pool }) })
  const accountId = randomUUID()

  async function insert(state: DeadLetterState): Promise<string> {
    const source = sql`select ${accountId}::uuid as account_id, ${randomUUID()}::uuid as subscription_id, ${randomUUID()}::uuid as delivery_id,
      1 as attempts, '{}'::json as payload`
    await sql`${insertDeliveryDeadLetters(source, 'test', at)}`.execute(db)
    const { rows } = await sql<{ id: string }>`select id from dead_letters`.execute(db)
    if (state === 'replayed') await sql`update dead_letters set replayed_at = ${at}, replayed_by = 'user:a'`.execute(db)
    return rows[0]?.id ?? ''
  }

  async function stateOf(id: string): Promise<DeadLetterState | undefined> {
    const { rows } = await sql<{ open: boolean }>`select ${isOpenSql} as open from dead_letters where id = ${id}`.execute(db)
    const [row] = rows
    return row === undefined ? undefined : row.open ? 'open' : 'replayed'
  }

  const statements = {
    markDeadLetterReplayed: (id: string) => markDeadLetterReplayed(db, accountId, id, { at, by: 'user:b', as: undefined }),
    deleteOldDeadLetters: () => deleteOldDeadLetters(db, new Date(at.getTime() - 1000), 10),
  }
  const observed = new Set<string>()
  for (const [name, run] of Object.entries(statements))
    for (const before of deadLetterStates) {
      const id = await insert(before)
      expect(await stateOf(id)).toBe(before)
      await run(id)
      const after = await stateOf(id)
      await sql`delete from dead_letters`.execute(db)
      if (after === before) continue
      expect(after !== undefined && mayFollow(before, after), `${name}: ${before} -> ${after}`).toBe(true)
      observed.add(`${before} -> ${after}`)
    }
  const allowed = deadLetterStates.flatMap((from) => deadLetterTransitions[from].map((to) => `${from} -> ${to}`))
  expect([...observed]).toEqual(allowed)
})
