import manifest from '#manifest' with { type: 'json' }
import type { Readable } from 'node:stream'
import { PgBoss } from 'pg-boss'
import { restoreBackup } from '#platform/db/backup/read-backup.ts'
import { type BackupSummary, writeBackup } from '#platform/db/backup/write-backup.ts'
import { pooledClient } from '#platform/db/database-client.ts'
import { readMigrations } from './migrations.ts'

/** Writes a backup of the installation on a database, while its servers work. */
export function backupInstallation(
  { url, onTable }: { readonly url: string; readonly onTable?: (table: string, rows: number) => void },
  target: NodeJS.WritableStream,
): Promise<BackupSummary> {
  return writeBackup({ url, version: manifest.version, createdAt: new Date(), ...(onTable === undefined ? {} : { onTable }) }, target)
}

/** Reads a backup into an empty database. Rejects with a `BackupError` when the file or the database does not permit it. */
export async function restoreInstallation(url: string, source: Readable): Promise<BackupSummary & { readonly createdAt: string }> {
  const { header, ...summary } = await restoreBackup({ url, migrations: await readMigrations(), prepareQueue }, source)
  return { ...summary, createdAt: header.createdAt }
}

/** pg-boss creates its own tables when it starts. */
async function prepareQueue(url: string): Promise<void> {
  const boss = new PgBoss({ connectionString: url, schema: 'pgboss', max: 1, supervise: false, schedule: false, ...pooledClient })
  boss.on('error', () => undefined)
  await boss.start()
  await boss.stop({ graceful: false })
}
