import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'
import { createDatabase, type Database, type DatabaseConfig, databaseDefaults } from '#platform/db/database.ts'
import type { ProvidedPostgres } from './provided.ts'

/** A database of one test's own. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string
  readonly database: Database
  /** Closes the pools and deletes the database; connections that others hold to it are cut. `await using` does it by itself. */
  drop(): Promise<void>
}

/** Makes a migrated database under a unique name. Copying files takes half the time of writing the copy to the log of changes. */
export async function createTestDatabase(config: Partial<DatabaseConfig> = {}): Promise<TestDatabase> {
  const { adminUrl, template }: ProvidedPostgres = inject('postgres')
  return await openTestDatabase(adminUrl, `template ${template} strategy file_copy`, config)
}

/** Makes a database with nothing in it, for tests of the migrations themselves. */
export async function createEmptyTestDatabase(config: Partial<DatabaseConfig> = {}): Promise<TestDatabase> {
  return await openTestDatabase(inject('postgres').adminUrl, 'template template0', config)
}

async function openTestDatabase(adminUrl: string, source: string, config: Partial<DatabaseConfig>): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administer(adminUrl, `create database ${name} ${source}`)
  const url = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).toString()
  // Few connections: many test files share one PostgreSQL.
  const database = createDatabase({ ...databaseDefaults, systemConnectionsMax: 6, accountConnectionsMax: 4, ...config, url })
  const drop = async () => {
    await database.close()
    await dropDatabase(adminUrl, name)
  }
  return { url, database, drop, [Symbol.asyncDispose]: drop }
}

/** A superuser's autovacuum worker may be in the database, which this role cannot end; it is done soon. */
async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await administer(adminUrl, `drop database if exists ${name} with (force)`)
    } catch (error) {
      if (tries === 50 || !(error instanceof pg.DatabaseError) || error.code !== '42501') throw error
      await setTimeout(100)
    }
  }
}

async function administer(adminUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
