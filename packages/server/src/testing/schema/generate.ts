import pg from 'pg'
import { startThrowawayPostgres } from '#platform/db/embedded/throwaway.ts'
import { migrate } from '#platform/db/migrate.ts'
import { readMigrations } from '#compose/migrations.ts'
import { readCatalogue } from './catalogue.ts'
import { printConnectorFunctions } from './print-connector-functions.ts'
import { printRows } from './print-rows.ts'
import { printSchema } from './print-schema.ts'

/** What "npm run generate" writes, by its path below packages/server. */
export interface GeneratedFiles {
  readonly 'schema.sql': string
  readonly 'src/platform/db/rows.ts': string
  readonly 'src/catalog/connector-functions.jsonl': string
}

/** Reads the schema of a migrated database and prints the files that are checked in. The same database always gives the same text. */
export async function generateFrom(url: string): Promise<GeneratedFiles> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const catalogue = await readCatalogue(client)
    return {
      'schema.sql': printSchema(catalogue),
      'src/platform/db/rows.ts': printRows(catalogue),
      'src/catalog/connector-functions.jsonl': printConnectorFunctions(),
    }
  } finally {
    await client.end()
  }
}

/** The same, from a PostgreSQL that is started for the purpose and forgotten. */
export async function generate(): Promise<GeneratedFiles> {
  const postgres = await startThrowawayPostgres()
  try {
    const url = postgres.url('millrace')
    await migrate({ url, migrations: await readMigrations() })
    return await generateFrom(url)
  } finally {
    await postgres.stop()
  }
}
