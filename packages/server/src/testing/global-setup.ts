import pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { TestProject } from 'vitest/node'
import { startThrowawayPostgres } from '#platform/db/embedded/throwaway.ts'
import { migrate } from '#platform/db/migrate.ts'
import { readMigrations } from '#compose/migrations.ts'
import type { ProvidedPostgres } from './provided.ts'

const template = 'template_millrace'

/** Starts one PostgreSQL for this run of Vitest and makes the migrated database that tests copy. Runs side by side do not meet. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
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
    const provided: ProvidedPostgres = { adminUrl, template }
    project.provide('postgres', provided)
  } catch (error) {
    await postgres.stop()
    throw error
  }
  return () => postgres.stop()
}

/** Saves each test that opens the job queue the 50 ms of making its tables. */
async function installJobQueue(url: string): Promise<void> {
  const boss = new PgBoss({ connectionString: url, schema: 'pgboss', supervise: false, schedule: false, max: 1 })
  await boss.start()
  await boss.stop({ graceful: false })
}
