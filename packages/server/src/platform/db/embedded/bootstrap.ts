import { DatabaseClient } from '#platform/db/database-client.ts'
import { type Endpoint, urlOf } from './endpoint.ts'

/**
 * Makes the role `millrace` and its database in a new PostgreSQL; what is there already stays.
 *
 * The role is no superuser: whoever could smuggle SQL into a query still could not read files or start programs.
 */
export async function bootstrap(endpoint: Endpoint, password: string, database: string): Promise<void> {
  const client = new DatabaseClient({ connectionString: urlOf(endpoint, 'postgres', password, 'postgres') })
  await client.connect()
  try {
    const found = await client.query<{ readonly role: boolean; readonly database: boolean }>(
      `select exists (select from pg_roles where rolname = 'millrace') as role, exists (select from pg_database where datname = $1) as database`,
      [database],
    )
    const [row] = found.rows
    if (row?.role === false) await client.query(`create role millrace login createdb createrole password ${client.escapeLiteral(password)}`)
    if (row?.database === false) await client.query(`create database ${client.escapeIdentifier(database)} owner millrace`)
  } finally {
    await client.end()
  }
}
