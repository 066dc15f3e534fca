import { randomBytes } from 'node:crypto'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { onTestFinished } from 'vitest'
import { type ExecutionState, isTerminal } from '#core/execution-state.ts'
import { createEngineDatabase, type EngineDatabase } from './database.ts'

export type TestTables = Kysely<unknown>

export const day = 86_400_000

/** A database of this test with its Kysely instance, dropped at the end of the test. */
export async function testTables(): Promise<{ readonly database: EngineDatabase; readonly db: TestTables }> {
  const database = await createEngineDatabase()
  onTestFinished(() => database[Symbol.asyncDispose]())
  return { database, db: tablesOf(database) }
}

export function tablesOf({ pool }: EngineDatabase): TestTables {
  return new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
}

let made = 0
/** A UUIDv7 of a time, greater than earlier ones of the same time. */
export function idAt(ms: number): string {
  const hex = Math.trunc(ms).toString(16).padStart(12, '0')
  const count = (++made).toString(16).padStart(3, '0').slice(-3)
  const random = randomBytes(8).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${count}-8${random.slice(0, 3)}-${random.slice(3, 15)}`
}

export interface StoredExecution {
  readonly atMs: number
  readonly workflow?: string
  /** `completed` by default. */
  readonly state?: ExecutionState
  readonly parentId?: string
  readonly retryOf?: string
  readonly key?: string
  /** The value of a label. */
  readonly label?: string
  /** The number of journal entries. */
  readonly entries?: number
  /** The value of each entry. */
  readonly value?: string
}

/** Inserts an execution in the form that the engine stores. A terminal one ended a second after its start. @returns its id */
export async function addExecution(db: TestTables, row: StoredExecution): Promise<string> {
  const id = idAt(row.atMs)
  const { state = 'completed', parentId = null, retryOf, key, label, entries = 0, value = 'x' } = row
  const account = '01900000-0000-7000-8000-0000000000aa'
  const at = new Date(row.atMs)
  const endedAt = isTerminal(state) ? new Date(row.atMs + 1000) : null
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
  if (label !== undefined)
    await sql`insert into execution_labels (execution_id, account_id, number, name, value) values (${id}, ${account}, 0, 'order', ${label})`.execute(
      db,
    )
  if (retryOf !== undefined)
    await sql`insert into execution_retries (retry_of, account_id, execution_id) values (${retryOf}, ${account}, ${id})`.execute(db)
  return id
}
