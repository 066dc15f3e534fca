import pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { TestProject } from 'vitest/node'
import { startThrowawayPostgres } from '#platform/db/embedded/throwaway.ts'
import { migrate } from '#platform/db/migrate.ts'
import { readMigrations } from '#compose/migrations.ts'
import type { ProvidedPostgres } from './provided.ts'

const template = 'template_millrace'

interface Prepared {
  readonly provided: ProvidedPostgres
  stop(): Promise<void>
}

/** The PostgreSQL of this process and the number of projects that use it. Each project evaluates this module, so they share it by a global symbol. */
interface Shared {
  prepared?: Promise<Prepared> | undefined
  projects: number
}

/** Starts one PostgreSQL for this run of Vitest, or takes that of another project, and provides it. Runs side by side do not meet. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = sharedByProjects()
  shared.projects += 1
  const { provided, stop } = await (shared.prepared ??= prepare())
  project.provide('postgres', provided)
  return async () => {
    shared.projects -= 1
    if (shared.projects > 0) return
    shared.prepared = undefined
    await stop()
  }
}

function sharedByProjects(): Shared {
  const key = Symbol.for('millrace.testing.postgres')
  const found: Shared = Reflect.get(globalThis, key) ?? { projects: 0 }
  Reflect.set(globalThis, key, found)
  return found
}

/** Makes the migrated database that tests copy. */
async function prepare(): Promise<Prepared> {
  const postgres = await startThrowawayPostgres()
  try {
    const adminUrl = postgres.url('postgres')
    const admin = new pg.Client({ connectionString: adminUrl })
    await admin.connect()
    await admin.query(`create database ${template}`)
    await migrate({ url: postgres.url(template), migrations: await readMigrations() })
    await installJobQueue(postgres.url(template))
    // Connections are refused from here on, since a database with connections cannot be copied.
    await admin.query(`alter database ${template} with is_template true allow_connections false`)
    await admin.end()
    return { provided: { adminUrl, template }, stop: () => postgres.stop() }
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

/** Saves each test that opens the job queue the 50 ms of making its tables. */
async function installJobQueue(url: string): Promise<void> {
  const boss = new PgBoss({ connectionString: url, schema: 'pgboss', supervise: false, schedule: false, max: 1 })
  await boss.start()
  await boss.stop({ graceful: false })
}
