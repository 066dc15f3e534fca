import { setTimeout } from 'node:timers/promises'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    readonly postgres: { readonly adminUrl: string; readonly template: string }
  }
}

/** A migrated database of one test, with pg-boss installed. */
export interface EngineDatabase extends AsyncDisposable {
  readonly url: string
  readonly pool: pg.Pool
  readonly boss: PgBoss
}

/** Copying the files of the template takes a third of the time of writing the copy to the log of changes, which is the default. */
export async function createEngineDatabase(): Promise<EngineDatabase> {
  const { adminUrl, template } = inject('postgres')
  const name = `engine_${randomUUID().replaceAll('-', '')}`
  await administer(adminUrl, `create database ${name} template ${template} strategy file_copy`)
  const url = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).toString()
  const pool = enginePool(url)
  const boss = new PgBoss({ connectionString: url, schema: 'pgboss', supervise: false, schedule: false, max: 2 })
  boss.on('error', () => undefined)
  await boss.start()
  return {
    url,
    pool,
    boss,
    async [Symbol.asyncDispose]() {
      await boss.stop({ graceful: false })
      await pool.end()
      await dropDatabase(adminUrl, name)
    },
  }
}

/** A pool with the settings that the engine requires: `json` columns are read as text. */
export function enginePool(url: string): pg.Pool {
  const types = {
    getTypeParser: (oid: number, format?: 'text' | 'binary') => (oid === 114 ? String : pg.types.getTypeParser(oid, format ?? 'text')),
  }
  const pool = new pg.Pool({ connectionString: url, max: 8, types })
  pool.on('error', () => undefined)
  return pool
}

/** An autovacuum worker of a superuser may use the database. This role cannot end it, so the drop is retried until it has finished. */
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
