import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { inject } from 'vitest'

/** A database of one test's own, in the PostgreSQL of the test run. */
export interface Postgres extends AsyncDisposable {
  readonly url: string
  query(statement: string): Promise<readonly Readonly<Record<string, unknown>>[]>
}

/** @param content an empty database, or a copy of the migrated one. */
export async function createPostgres(content: 'empty' | 'migrated'): Promise<Postgres> {
  const { adminUrl, template } = inject('postgres')
  const name = `cli_${randomUUID().replaceAll('-', '')}`
  await statement(adminUrl, `create database ${name} template ${content === 'empty' ? 'template0' : `${template} strategy file_copy`}`)
  const url = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).toString()
  return {
    url,
    query: (text) => statement(url, text),
    [Symbol.asyncDispose]: () => dropDatabase(adminUrl, name),
  }
}

/** A superuser's autovacuum worker may be in the database, which this role cannot end; it is done soon. */
async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return void (await statement(adminUrl, `drop database if exists ${name} with (force)`))
    } catch (error) {
      if (tries === 50 || !(error instanceof pg.DatabaseError) || error.code !== '42501') throw error
      await setTimeout(100)
    }
  }
}

async function statement(url: string, text: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(text)
    return rows
  } finally {
    await client.end()
  }
}
