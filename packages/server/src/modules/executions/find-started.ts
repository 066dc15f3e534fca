import { createBatcher } from '#platform/batching/batcher.ts'
import type { Prepared } from '#platform/db/prepared.ts'
import type { Execution } from './model.ts'
import { executionColumns, type ExecutionRow, executionOf } from './store.ts'

export interface ExecutionKey {
  readonly accountId: string
  readonly id: string
}

/** Reads executions that were just started, many in one statement: answering a start needs the row as it stands. */
export function createStartedReader(pool: Prepared): (key: ExecutionKey) => Promise<Execution | undefined> {
  return createBatcher({ load: (keys) => load(pool, keys), lanes: 2, keysMax: 200 })
}

async function load(pool: Prepared, keys: readonly ExecutionKey[]): Promise<readonly (Execution | undefined)[]> {
  const { rows } = await pool.query<ExecutionRow>({
    name: 'find-started',
    text: `select e.id, e.workflow_id, v.number as version, e.state, e.trigger, e.created_at, e.started_at, e.ended_at, e.error,
        ${executionColumns}
      from unnest($1::uuid[], $2::uuid[]) as k(account_id, id)
      join executions e on e.id = k.id and e.account_id = k.account_id
      join workflow_versions v on v.id = e.version_id`,
    values: [keys.map(({ accountId }) => accountId), keys.map(({ id }) => id)],
  })
  const byId = new Map(rows.map((row) => [row.id, executionOf(row)]))
  return keys.map(({ id }) => byId.get(id))
}
