import { fileURLToPath } from 'node:url'
import { engineMigrations } from '@millrace/engine/storage'
import { type Migration, readMigrationFiles } from '#platform/db/migration-files.ts'
import type { Logger } from './logger.ts'

const serverMigrations = fileURLToPath(new URL('../../migrations/', import.meta.url))

/** All migrations of this release: those of the server and those of the engine, which owns its tables, in one sequence. */
export function readMigrations(): Promise<readonly Migration[]> {
  return readMigrationFiles([serverMigrations, engineMigrations])
}

const slowMigrationMs = 1_000

/** Says in one line what was migrated, since a first start applies all migrations. A slow one has a line of its own as soon as it ends. */
export function logMigrations(logger: Logger) {
  const names: string[] = []
  let totalMs = 0
  return {
    onMigrated({ name }: Migration, durationMs: number): void {
      names.push(name)
      totalMs += durationMs
      logger[durationMs < slowMigrationMs ? 'debug' : 'info']({ migration: name, durationMs: Math.round(durationMs) }, 'migrated')
    },
    logSum(): void {
      if (names.length === 0) return
      logger.info({ migrations: names.length, last: names.at(-1), durationMs: Math.round(totalMs) }, 'the database was migrated')
    },
  }
}
