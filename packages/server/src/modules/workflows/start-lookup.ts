import { createBatcher } from '#platform/batching/batcher.ts'
import type { Prepared } from '#platform/db/prepared.ts'

/** Which version of which workflow is to be started. */
export interface StartKey {
  readonly accountId: string
  readonly workflowId: string
  /** The latest unless given. */
  readonly number: number | undefined
}

interface TargetRow {
  readonly ordinal: number
  readonly enabled: boolean
  readonly published: boolean
  readonly managed_by: string | null
  readonly id: string | null
  readonly number: number | null
  readonly checks_input: boolean | null
}

type StartTarget = ReturnType<typeof targetOf>

/**
 * Finds the workflow and the version to start; undefined when the account has no such workflow.
 *
 * It reads the database each time, since a workflow that was disabled in another process must not start; starts of one turn of the event loop
 * share one statement. The pool is pg's own, because Kysely has no prepared statements: planning would cost more than the lookup.
 */
export function createStartLookup(pool: Prepared): (key: StartKey) => Promise<StartTarget | undefined> {
  return createBatcher({ load: (keys) => load(pool, keys), lanes: 1, keysMax: 200 })
}

async function load(pool: Prepared, keys: readonly StartKey[]): Promise<readonly (StartTarget | undefined)[]> {
  const { rows } = await pool.query<TargetRow>({
    name: 'start-lookup',
    // Two descents of primary keys for each start.
    text: `select k.ordinal::int4, w.enabled, w.latest_number is not null as published, w.managed_by, v.id, v.number, v.checks_input
      from unnest($1::uuid[], $2::uuid[], $3::int4[]) with ordinality as k(account_id, workflow_id, number, ordinal)
      join workflows w on w.id = k.workflow_id and w.account_id = k.account_id and w.deleted_at is null
      left join workflow_versions v on v.workflow_id = w.id and v.number = coalesce(k.number, w.latest_number)`,
    values: [keys.map((key) => key.accountId), keys.map((key) => key.workflowId), keys.map((key) => key.number ?? null)],
  })
  const targets: (StartTarget | undefined)[] = keys.map(() => undefined)
  for (const row of rows) targets[row.ordinal - 1] = targetOf(row)
  return targets
}

function targetOf({ enabled, published, managed_by: managedBy, id, number, checks_input: checksInput }: TargetRow) {
  const version = id === null || number === null || checksInput === null ? undefined : { id, number, checksInput }
  return { enabled, published, isOfAgent: managedBy === 'agent', version }
}
