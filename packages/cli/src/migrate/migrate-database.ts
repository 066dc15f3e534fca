import { migrate, type Migration, type MigrationState, readMigrations, readMigrationState } from '@millrace/server'
import { type ExitCode, exitCodes } from '#command/exit-code.ts'
import { Failure, messageOf } from '#command/failure.ts'
import { readConfiguration } from '#command/read-configuration.ts'
import { type ReachedDatabase, withDatabase, withPresentDatabase } from '#command/with-database.ts'
import { formatDuration } from '#terminal/duration.ts'
import { createPaint } from '#terminal/paint.ts'
import type { Terminal } from '#terminal/terminal.ts'

export interface MigrateRequest {
  readonly status: boolean
  readonly json: boolean
  readonly home: string | undefined
}

interface Outcome {
  readonly database: ReachedDatabase['kind']
  readonly migrations: readonly { readonly number: number; readonly name: string; readonly state: 'applied' | 'pending' }[]
  /** Applied just now. */
  readonly applied: number
}

/** Migrates the database of this installation, or only looks. */
export async function migrateDatabase(request: MigrateRequest, terminal: Terminal): Promise<ExitCode> {
  const config = readConfiguration({ home: request.home })
  const reach = request.status ? withPresentDatabase : withDatabase
  const outcome = await reach(config, (reached) => act(reached, request, terminal))
  terminal.stdout.write(request.json ? `${JSON.stringify(outcome, null, 2)}\n` : listing(outcome, request, terminal))
  return exitCodes.ok
}

async function act({ url, kind }: ReachedDatabase, request: MigrateRequest, { stderr }: Terminal): Promise<Outcome> {
  const migrations = await readMigrations()
  const paint = createPaint(stderr)
  const onApplied = (migration: Migration, durationMs: number): void => {
    if (!request.json) stderr.write(`${paint.green('✓')} ${label(migration)} ${paint.dim(formatDuration(durationMs))}\n`)
  }
  try {
    const before = await readMigrationState({ url, migrations })
    const after = request.status ? before : await migrate({ url, migrations, onApplied })
    return outcomeOf(kind, migrations, before, after)
  } catch (error) {
    throw new Failure(messageOf(error), { hint: hintFor(kind), cause: error })
  }
}

function outcomeOf(
  database: ReachedDatabase['kind'],
  migrations: readonly Migration[],
  before: MigrationState,
  after: MigrationState,
): Outcome {
  const pending = new Set(after.pending)
  return {
    database,
    migrations: migrations.map(({ number, name }) => ({ number, name, state: pending.has(number) ? 'pending' : 'applied' })),
    applied: before.pending.length - after.pending.length,
  }
}

function listing({ migrations, applied }: Outcome, { status }: MigrateRequest, { stdout }: Terminal): string {
  const paint = createPaint(stdout)
  const pending = migrations.filter(({ state }) => state === 'pending').length
  if (!status)
    return applied === 0 ? 'The database is up to date.\n' : `${applied} ${plural(applied)} applied; the database is up to date.\n`
  const rows = migrations.map((migration) => {
    const state = migration.state === 'applied' ? paint.green('applied') : paint.yellow('pending')
    return `${state}  ${label(migration)}\n`
  })
  return `${rows.join('')}${pending === 0 ? 'The database is up to date.' : `${pending} ${plural(pending)} pending: "millrace migrate" applies them.`}\n`
}

function label({ number, name }: Pick<Migration, 'number' | 'name'>): string {
  return `${String(number).padStart(4, '0')}_${name}`
}

function plural(count: number): string {
  return count === 1 ? 'migration' : 'migrations'
}

function hintFor(kind: ReachedDatabase['kind']): string {
  return kind === 'external' ? 'Check DATABASE_URL; "millrace doctor" shows more.' : '"millrace doctor" checks the whole installation.'
}
