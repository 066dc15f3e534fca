import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

type Executor = Kysely<Rows>

export const day = 86_400_000

let made = 0
/** A UUIDv7 of a time, each greater than those before it of the same time. */
export function idAt(ms: number): string {
  const hex = Math.trunc(ms).toString(16).padStart(12, '0')
  const count = (++made).toString(16).padStart(3, '0').slice(-3)
  const random = randomBytes(8).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${count}-8${random.slice(0, 3)}-${random.slice(3, 15)}`
}

export interface ExecutionRow {
  readonly atMs: number
  readonly workflow?: string
  /** `completed` unless given. */
  readonly state?: string
  readonly parentId?: string
  readonly retryOf?: string
  readonly key?: string
  /** Of its journal. */
  readonly entries?: number
  /** Of each entry. */
  readonly value?: string
}

/** Puts an execution into the tables as the engine would have left it; one that has ended did so a second after it began. */
export async function addExecution(db: Executor, row: ExecutionRow): Promise<string> {
  const id = idAt(row.atMs)
  const { state = 'completed', parentId = null, retryOf, key, entries = 0, value = 'x' } = row
  const account = '01900000-0000-7000-8000-0000000000aa'
  const at = new Date(row.atMs)
  const endedAt = ['completed', 'faulted', 'cancelled'].includes(state) ? new Date(row.atMs + 1000) : null
  await sql`insert into executions (id, account_id, workflow_id, version_id, state, trigger, actor, parent_id, input, created_at, started_at, ended_at)
    values (${id}, ${account}, ${row.workflow ?? idAt(0)}, ${idAt(0)}, ${state}, 'manual', 'test:rows', ${parentId}, '{}', ${at}, ${at}, ${endedAt})`.execute(
    db,
  )
  await sql`insert into journal (execution_id, seq, account_id, position, phase, kind, ok, value, decisions, started_at, ended_at)
    select ${id}, n, ${account}, '/do/0/x', 'ended', 'http', true, to_json(${value}::text), '', ${at}, ${at} from generate_series(1, ${entries}::int) n`.execute(
    db,
  )
  if (key !== undefined)
    await sql`insert into execution_keys (account_id, key, execution_id, digest) values (${account}, ${key}, ${id}, '')`.execute(db)
  if (retryOf !== undefined)
    await sql`insert into execution_retries (retry_of, account_id, execution_id) values (${retryOf}, ${account}, ${id})`.execute(db)
  return id
}

/** A published workflow whose definition says how long its executions are kept, or says nothing. */
export async function addWorkflow(
  db: Executor,
  { account = '01900000-0000-7000-8000-0000000000aa', retention }: { readonly account?: string; readonly retention?: string },
): Promise<string> {
  const [id, version] = [idAt(0), idAt(0)]
  const definition = JSON.stringify({ document: retention === undefined ? {} : { metadata: { retention } } })
  await sql`insert into workflows (id, account_id, name, tags, namespace, document_name, enabled, revision, definition, source, syntax,
      checksum, warnings, triggers, latest_version_id, latest_number, latest_checksum, created_at, created_by, updated_at, updated_by)
    values (${id}, ${account}, 'W', '{}', 'tests', ${id}, true, 1, ${definition}, '', 'yaml', '', '[]', '{manual}', ${version}, 1, '',
      now(), 'test:rows', now(), 'test:rows')`.execute(db)
  await sql`insert into workflow_versions (id, account_id, workflow_id, number, document_version, definition, source, syntax, checksum,
      warnings, checks_input, created_at, created_by)
    values (${version}, ${account}, ${id}, 1, '1.0.0', ${definition}, '', 'yaml', '', '[]', false, now(), 'test:rows')`.execute(db)
  return id
}
