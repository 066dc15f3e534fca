import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Pool } from 'pg'
import { countExecutionsByAccount } from '#postgres/storage/count-executions.ts'
import { takeEndsSql, tasksOfEndsSql } from '#postgres/storage/execution-ends.ts'
import type { Metered } from './observations.ts'

const batch = 7

interface TaskRow {
  readonly account_id: string
  readonly tasks: number
}

class Crash extends Error {}

/** Meters a finished run as the server does, with every third batch lost in a crash, and counts the raw rows in another way. */
export async function readMetered(pool: Pool): Promise<readonly Metered[]> {
  // Its pool is closed with the run.
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const executions = await countExecutionsByAccount(db, new Date(0), new Date(Date.now() + 60_000))
  const tasks = await meterTasks(db)
  const raw = await countRaw(pool)
  const accounts = [...new Set([...executions.map(({ accountId }) => accountId), ...tasks.keys(), ...raw.keys()])]
  return accounts.map((accountId) => ({
    accountId,
    metered: {
      executions: Number(`${executions.find((row) => row.accountId === accountId)?.amount ?? 0}`),
      tasks: tasks.get(accountId) ?? 0,
    },
    counted: raw.get(accountId) ?? { executions: 0, tasks: 0 },
  }))
}

async function meterTasks(db: Kysely<unknown>): Promise<ReadonlyMap<string, number>> {
  const totals = new Map<string, number>()
  for (let pass = 0; ; pass++) {
    const taken = await db
      .transaction()
      .execute(async (tx) => {
        const { rows } = await sql<TaskRow & { readonly taken: number }>`
          with taken as (${takeEndsSql(batch)}), metered as (${tasksOfEndsSql(sql`taken`)})
          select (select count(*) from taken)::int4 as taken, m.account_id, coalesce(m.tasks, 0)::int4 as tasks
          from (select) one left join metered m on true`.execute(tx)
        if (pass % 3 === 0) throw new Crash('the batch is lost with its transaction')
        return rows
      })
      .catch((error: unknown) => {
        if (error instanceof Crash) return undefined
        throw error
      })
    if (taken === undefined) continue
    if (taken[0] === undefined || taken[0].taken === 0) return totals
    for (const { account_id: accountId, tasks } of taken)
      if (accountId !== null) totals.set(accountId, (totals.get(accountId) ?? 0) + tasks)
  }
}

/** Every outcome once: the copies that retries begin with are recognized by the origin of their chain. */
async function countRaw(pool: Pool): Promise<ReadonlyMap<string, Metered['counted']>> {
  const executions = await pool.query<{ id: string; account_id: string; retry_of: string | null }>(
    `select id, account_id, retry_of from executions`,
  )
  const entries = await pool.query<{ id: string; position: string; at: string }>(
    `select execution_id as id, position, ended_at::text as at from journal where phase = 'ended' and kind <> 'timer' and kind <> 'computation'`,
  )
  const byId = new Map(executions.rows.map((row) => [row.id, row]))
  const originOf = (id: string): string => {
    const earlier = byId.get(id)?.retry_of
    return earlier === null || earlier === undefined ? id : originOf(earlier)
  }
  const outcomes = new Map<string, Set<string>>()
  for (const { id, position, at } of entries.rows) {
    const accountId = byId.get(id)?.account_id ?? 'unknown'
    outcomes.set(accountId, (outcomes.get(accountId) ?? new Set()).add(`${originOf(id)} ${position} ${at}`))
  }
  const counts = Map.groupBy(executions.rows, (row) => row.account_id)
  return new Map(
    [...counts].map(([accountId, rows]) => [accountId, { executions: rows.length, tasks: outcomes.get(accountId)?.size ?? 0 }]),
  )
}
