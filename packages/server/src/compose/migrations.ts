import { fileURLToPath } from 'node:url'
import { engineMigrations } from '@millrace/engine/storage'
import { type Migration, readMigrationFiles } from '#platform/db/migration-files.ts'

const serverMigrations = fileURLToPath(new URL('../../migrations/', import.meta.url))

/** All migrations of this release: those of the server and those of the engine, which owns its tables, in one sequence. */
export function readMigrations(): Promise<readonly Migration[]> {
  return readMigrationFiles([serverMigrations, engineMigrations])
}
