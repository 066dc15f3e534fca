import { type Kysely, sql } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'

/** Numbers of the migrations that the database has. */
export async function readAppliedMigrations(db: Kysely<Rows>): Promise<readonly number[]> {
  const { rows } = await sql<{ number: number }>`select number from schema_migrations order by number`.execute(db)
  return rows.map(({ number }) => number)
}
