import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import type { CompiledWorkflow } from '#core/node.ts'
import { type Kill, readRecoveries } from './history.ts'
import type { BookedEffect } from './ledger-book.ts'
import type { Observations, ObservedExecution, Outage, RecordedStart } from './observations.ts'
import { openLedgerVerifier } from './open-ledger-verifier.ts'
import { readMetered } from './read-metered.ts'
import { readTimers } from './read-timers.ts'

/** The records of the runner itself. */
export interface RunRecords {
  readonly starts: readonly RecordedStart[]
  readonly effects: ReadonlyMap<string, BookedEffect>
  readonly kills: readonly Kill[]
  readonly outages: readonly Outage[]
  readonly deaths: readonly string[]
}

/** Reads the results of a run from the database. */
export async function readObservations(
  pool: Pool,
  workflows: ReadonlyMap<string, CompiledWorkflow>,
  { kills, ...records }: RunRecords,
): Promise<Observations> {
  const letters = await pool.query<{ id: string }>(`select execution_id as id from dead_letters`)
  return {
    ...records,
    executions: await readExecutions(pool),
    keys: await readKeys(pool),
    deadLettered: new Set(letters.rows.map(({ id }) => id)),
    left: await readLeft(pool),
    outcomes: await readOutcomes(pool, records.effects),
    recoveries: await readRecoveries(pool, kills),
    timers: await readTimers(pool, workflows, await executionsWithTimers(pool)),
    differences: await readDifferences(pool, workflows),
    usage: await readMetered(pool),
  }
}

interface ExecutionRow {
  id: string
  version_id: string
  n: number
  state: string
  output: string | null
  error: string | null
  answer: string | null
  parent_id: string | null
  actor: string
  retry_of: string | null
}

async function readExecutions(pool: Pool): Promise<readonly ObservedExecution[]> {
  const { rows } = await pool.query<ExecutionRow>(
    `select id, version_id, (input ->> 'n')::int as n, state, output, error, reply as answer, parent_id, actor, retry_of from executions`,
  )
  return rows.map((row) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The engine writes errors so.
    const error = parse(row.error) as ObservedExecution['error']
    return {
      id: row.id,
      versionId: row.version_id,
      n: row.n,
      state: row.state,
      output: parse(row.output),
      error,
      answer: parse(row.answer),
      parentId: row.parent_id ?? undefined,
      actor: row.actor,
      retryOf: row.retry_of ?? undefined,
    }
  })
}

function parse(json: string | null): unknown {
  return json === null ? undefined : JSON.parse(json)
}

async function readKeys(pool: Pool): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await pool.query<{ key: string; ids: string[] }>(
    `select key, array_agg(execution_id::text) as ids from execution_keys group by key`,
  )
  return new Map(rows.map(({ key, ids }) => [key, ids]))
}

async function readLeft(pool: Pool): Promise<Observations['left']> {
  const { rows } = await pool.query<Observations['left']>(
    `select (select count(*)::int from executions where claimed_by is not null) as claimed, (select count(*)::int from waits) as waits,
       (select count(*)::int from listeners) as listeners, (select count(*)::int from messages) as messages`,
  )
  return rows[0] ?? { claimed: -1, waits: -1, listeners: -1, messages: -1 }
}

/** Only effects with more than one request can have been repeated. The key of a call names the execution and contains a digest of its position. */
async function readOutcomes(pool: Pool, effects: ReadonlyMap<string, BookedEffect>): Promise<ReadonlyMap<string, number>> {
  const repeated = [...effects].filter(([, { requests }]) => requests > 1).map(([key]) => key)
  const { rows } = await pool.query<{ execution_id: string; position: string; at: number }>(
    `select execution_id, position, extract(epoch from ended_at)::float8 * 1000 as at from journal
     where execution_id = any($1::uuid[]) and phase = 'ended'`,
    [[...new Set(repeated.map((key) => key.slice(0, 36)))]],
  )
  const written = new Map(rows.map(({ execution_id: id, position, at }) => [`${id}-${digest(position)}`, Math.round(at)]))
  return new Map(repeated.flatMap((key) => (written.has(key) ? [[key, written.get(key) ?? 0]] : [])))
}

function digest(position: string): string {
  return createHash('sha256').update(position).digest('hex').slice(0, 24)
}

async function executionsWithTimers(pool: Pool) {
  const { rows } = await pool.query<{ id: string; account_id: string }>(
    `select distinct execution_id as id, account_id from journal where kind = 'timer'`,
  )
  return rows.map(({ id, account_id: accountId }) => ({ id, accountId }))
}

async function readDifferences(pool: Pool, workflows: ReadonlyMap<string, CompiledWorkflow>): Promise<readonly string[]> {
  const verifier = openLedgerVerifier(pool, workflows)
  const differences: string[] = []
  for (let after: string | undefined; ; ) {
    const ids = await verifier.ended(after, 200)
    after = ids.at(-1)
    if (after === undefined) return differences
    const verdicts = await Promise.all(ids.map(async (id) => ({ id, verdict: await verifier.verify(id) })))
    for (const { id, verdict } of verdicts) {
      if (verdict === undefined) differences.push(`${id} is gone`)
      else if (verdict.difference !== undefined) differences.push(`${id}: ${verdict.difference.part}: ${verdict.difference.detail}`)
    }
  }
}
