import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate, readMigrations, startEmbedded } from '@millrace/server'

/** The built-in PostgreSQL of an installation, migrated and with fsync, in a disposable directory. */
export async function startThrowawayDatabase() {
  const home = await mkdtemp(join(tmpdir(), 'millrace-bench-pg-'))
  const postgres = await startEmbedded({ home, randomBytes })
  await migrate({ url: postgres.url, migrations: await readMigrations() })
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}
