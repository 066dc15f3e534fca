import { type Config, DatabaseClient, readMigrations, readMigrationState } from '@millrace/server'
import type pg from 'pg'
import type { ReachedDatabase } from '#command/with-database.ts'
import { messageOf } from '#command/failure.ts'
import { checkKey } from './check-key.ts'
import { checkStorage } from './check-storage.ts'
import { fail, type Finding, ok, warn } from './check.ts'

const connectTimeoutMs = 5_000
const versionNumberMin = 160_000
const accountRole = 'millrace_account'

export interface DatabaseFindings {
  readonly findings: readonly Finding[]
  /** Its clock when it was asked, milliseconds since the epoch; undefined when it did not answer. */
  readonly nowMs: number | undefined
}

/** Whether the database answers, is new enough and migrated, and keeps accounts apart. */
export async function checkDatabase({ url, kind }: ReachedDatabase, config: Pick<Config, 'home' | 'secretKey'>): Promise<DatabaseFindings> {
  const client = new DatabaseClient({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'millrace doctor',
  })
  try {
    await client.connect()
    const { version, nowMs } = await checkVersion(client, kind)
    const migrations = version.state === 'fail' ? undefined : await checkMigrations(url)
    const isolation = migrations?.state === 'ok' ? await checkIsolation(client) : undefined
    const key = migrations?.state === 'ok' ? await checkKey(url, config) : undefined
    const storage = migrations?.state === 'ok' ? await checkStorage(client, nowMs) : undefined
    return { findings: [version, migrations, key, isolation, storage].filter((finding) => finding !== undefined), nowMs }
  } catch (error) {
    const remedy =
      kind === 'external'
        ? 'Check that it is running and that host, user, password and name in DATABASE_URL are right.'
        : 'See postgres/postgres.log under MILLRACE_HOME.'
    return { findings: [fail('Database', `is not reachable: ${describe(error)}.`, remedy)], nowMs: undefined }
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function checkVersion(
  client: pg.Client,
  kind: ReachedDatabase['kind'],
): Promise<{ readonly version: Finding; readonly nowMs: number }> {
  const startedAt = performance.now()
  const { rows } = await client.query<{ readonly number: string; readonly version: string; readonly now: Date }>(
    `select current_setting('server_version_num') as number, split_part(current_setting('server_version'), ' ', 1) as version,
            clock_timestamp() as now`,
  )
  const latencyMs = Math.max(1, Math.round(performance.now() - startedAt))
  const { number = '0', version = 'unknown', now = new Date(0) } = rows[0] ?? {}
  const what = kind === 'embedded' ? 'built-in PostgreSQL' : 'PostgreSQL'
  const finding =
    Number(number) < versionNumberMin
      ? fail('Database', `is ${what} ${version}; Millrace needs 16 or newer.`, 'Upgrade it, or unset DATABASE_URL to use the built-in one.')
      : ok('Database', `${what} ${version} answers in ${latencyMs} ms.`)
  return { version: finding, nowMs: now.getTime() }
}

async function checkMigrations(url: string): Promise<Finding> {
  try {
    const { applied, pending } = await readMigrationState({ url, migrations: await readMigrations() })
    if (pending.length === 0) return ok('Migrations', `all ${applied.length} are applied.`)
    const message = applied.length === 0 ? 'none is applied: the database is new.' : `${pending.length} are missing.`
    return warn('Migrations', message, 'Run "millrace migrate"; a server applies them too when it starts.')
  } catch (error) {
    return fail('Migrations', messageOf(error), 'The database and this release do not belong together.')
  }
}

/** Requests use a role that row-level security binds; superusers and roles that bypass it would see the rows of every account. */
async function checkIsolation(client: pg.Client): Promise<Finding> {
  const name = 'Account isolation'
  const { rows } = await client.query<{ readonly bound: boolean; readonly usable: boolean; readonly guarded: number }>(
    `select not (rolsuper or rolbypassrls) as bound, pg_has_role(current_user, oid, 'set') as usable,
            (select count(*)::int from pg_class where relrowsecurity and relnamespace = current_schema()::regnamespace) as guarded
       from pg_roles where rolname = $1`,
    [accountRole],
  )
  const [role] = rows
  if (role === undefined)
    return fail(name, `the role ${accountRole} is missing.`, 'Run "millrace migrate" as a user that may create roles.')
  if (!role.bound)
    return fail(name, `the role ${accountRole} is not bound by row-level security.`, `alter role ${accountRole} nosuperuser nobypassrls`)
  if (!role.usable)
    return fail(name, `this user may not act as ${accountRole}.`, `grant ${accountRole} to CURRENT_USER, as an administrator`)
  if (role.guarded === 0) return fail(name, 'no table has row-level security.', 'The schema was changed by hand; restore it from a backup.')
  return ok(name, `${role.guarded} tables are guarded by row-level security.`)
}

function describe(error: unknown): string {
  // A host with several addresses fails with one error for each.
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  return messageOf(error)
}
