import pg from 'pg'
import { DatabaseClient } from './database-client.ts'
import type { Migration } from './migration-files.ts'

/** The applied and the pending migrations of a database. */
export interface MigrationState {
  readonly applied: readonly number[]
  readonly pending: readonly number[]
}

export interface MigrateOptions {
  readonly url: string
  readonly migrations: readonly Migration[]
  /** How long to wait for another process that migrates the same database. Default 60 s. */
  readonly lockTimeoutMs?: number
  readonly onApplied?: (migration: Migration, durationMs: number) => void
  /** Milliseconds on a monotonic clock. */
  readonly clock?: () => number
}

interface AppliedRow {
  readonly number: number
  readonly name: string
  readonly checksum: string
}

/** The key of the advisory lock: the bytes of "mill". Other users of the same database must not use it. */
const advisoryLock = 0x6d696c6c

/** Applies all pending migrations, each in a transaction of its own. Several processes may call it concurrently. */
export async function migrate(options: MigrateOptions): Promise<MigrationState> {
  return await withClient(options.url, async (client) => {
    await lock(client, options.lockTimeoutMs ?? 60_000)
    await client.query(`create table if not exists schema_migrations (
      number integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`)
    const pending = pendingOf(await readApplied(client), options.migrations)
    for (const migration of pending) await apply(client, migration, options)
    return { applied: options.migrations.map(({ number }) => number), pending: [] }
  })
}

/** Returns what migrate() would apply, and throws what it would throw, without changing anything. */
export async function readMigrationState(options: Pick<MigrateOptions, 'url' | 'migrations'>): Promise<MigrationState> {
  return await withClient(options.url, async (client) => {
    const table = await client.query<{ readonly exists: boolean }>(`select to_regclass('schema_migrations') is not null as exists`)
    const applied = table.rows[0]?.exists === true ? await readApplied(client) : []
    const pending = pendingOf(applied, options.migrations).map(({ number }) => number)
    return { applied: applied.map(({ number }) => number), pending }
  })
}

function pendingOf(applied: readonly AppliedRow[], migrations: readonly Migration[]): readonly Migration[] {
  const known = new Map(migrations.map((migration) => [migration.number, migration]))
  for (const row of applied) {
    const migration = known.get(row.number)
    const label = `${String(row.number).padStart(4, '0')}_${row.name}`
    if (migration === undefined) {
      throw new Error(
        `The database has migration ${label}, which this release of Millrace does not know: a newer release has used it. ` +
          'Start that release or a later one; going back needs a backup from before the upgrade.',
      )
    }
    if (migration.checksum !== row.checksum) {
      throw new Error(
        `Migration ${label} was changed after it had been applied to this database. ` +
          'Restore the file as it was and put the change into a new migration; a database used only for development can be deleted instead.',
      )
    }
  }
  const newest = applied.at(-1)?.number ?? 0
  const pending = migrations.filter(({ number }) => !applied.some((row) => row.number === number))
  const late = pending.find(({ number }) => number < newest)
  if (late !== undefined) {
    throw new Error(
      `Migration ${String(late.number).padStart(4, '0')}_${late.name} has a lower number than migration ${newest}, which is applied already. Give it the next free number.`,
    )
  }
  return pending
}

async function apply(client: pg.Client, migration: Migration, options: MigrateOptions): Promise<void> {
  const clock = options.clock ?? (() => performance.now())
  const startedAt = clock()
  const label = `${String(migration.number).padStart(4, '0')}_${migration.name}`
  await client.query('begin')
  try {
    await client.query(migration.sql)
    await client.query('insert into schema_migrations (number, name, checksum) values ($1, $2, $3)', [
      migration.number,
      migration.name,
      migration.checksum,
    ])
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback')
    throw new Error(`Migration ${label} failed and was rolled back: ${describe(cause, migration.sql)}`, { cause })
  }
  options.onApplied?.(migration, clock() - startedAt)
}

/** Converts PostgreSQL's position in characters to a line. */
function describe(error: unknown, statement: string): string {
  if (!(error instanceof pg.DatabaseError)) return String(error)
  const line = error.position === undefined ? '' : ` (line ${statement.slice(0, Number(error.position)).split('\n').length})`
  const hint = error.hint === undefined ? '' : `. ${error.hint}`
  return `${error.message}${line}${hint}`
}

async function lock(client: pg.Client, timeoutMs: number): Promise<void> {
  await client.query(`set lock_timeout = ${Math.ceil(timeoutMs)}`)
  try {
    await client.query('select pg_advisory_lock($1)', [advisoryLock])
  } catch (cause) {
    throw new Error(
      `Another process has been migrating this database for more than ${timeoutMs / 1000} s. Wait for it to end, or stop it.`,
      { cause },
    )
  }
  await client.query('reset lock_timeout')
}

async function readApplied(client: pg.Client): Promise<readonly AppliedRow[]> {
  const result = await client.query<AppliedRow>('select number, name, checksum from schema_migrations order by number')
  return result.rows
}

async function withClient<T>(url: string, fn: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new DatabaseClient({ connectionString: url, application_name: 'millrace migrate' })
  await client.connect()
  try {
    return await fn(client)
  } finally {
    await client.end()
  }
}
