import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type pg from 'pg'
import copyStreams from 'pg-copy-streams'
import { DatabaseClient } from '#platform/db/database-client.ts'
import { migrate } from '#platform/db/migrate.ts'
import type { Migration } from '#platform/db/migration-files.ts'
import { BackupFooter, BackupHeader, END_OF_ROWS, TableHeader } from './backup-format.ts'
import { backupLines } from './backup-lines.ts'
import { listTables, qualified, quoted } from './catalogue.ts'
import type { BackupSummary } from './write-backup.ts'

export interface RestoreOptions {
  readonly url: string
  /** Of this build. */
  readonly migrations: readonly Migration[]
  /** Creates the tables of the job queue. */
  readonly prepareQueue: (url: string) => Promise<void>
}

/** The text of this error is for the person who restores. */
export class BackupError extends Error {}

/**
 * Reads a backup into an empty database, in one transaction: a failure leaves the database without rows. Migrations that are newer than the backup are
 * applied afterwards.
 */
export async function restoreBackup(options: RestoreOptions, source: Readable): Promise<BackupSummary & { readonly header: BackupHeader }> {
  const lines = createLines(source)
  const header = headerOf(await lines.next())
  const known = knownMigrations(header, options.migrations)
  await assertEmpty(options.url)
  await migrate({ url: options.url, migrations: known })
  await options.prepareQueue(options.url)
  const client = new DatabaseClient({ connectionString: options.url, application_name: 'millrace restore' })
  await client.connect()
  try {
    await client.query('begin')
    const summary = await loadTables(client, lines)
    await client.query('commit')
    await migrate({ url: options.url, migrations: options.migrations })
    return { ...summary, header }
  } finally {
    await client.end().catch(() => undefined)
  }
}

type Lines = Pick<AsyncIterator<Buffer>, 'next'>

function createLines(source: Readable): Lines {
  const unpacked = source.pipe(createGunzip())
  source.on('error', (error) => unpacked.destroy(error))
  const lines = backupLines(unpacked)
  return {
    next: () =>
      lines.next().catch((error: unknown) => {
        throw new BackupError(`The file is damaged or no backup: ${error instanceof Error ? error.message : 'it cannot be read'}.`)
      }),
  }
}

function headerOf(first: IteratorResult<Buffer>): BackupHeader {
  const parsed = BackupHeader.safeParse(first.done === true ? undefined : parsedLine(first.value))
  if (parsed.success) return parsed.data
  throw new BackupError('The file is no backup of Millrace, or one of a newer format.')
}

function parsedLine(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString())
  } catch {
    return undefined
  }
}

/** The migrations of this build that the backup has. Throws when the backup has one that this build does not know. */
function knownMigrations({ migrations, version }: BackupHeader, build: readonly Migration[]): readonly Migration[] {
  const unknown = migrations.filter(
    ({ number, checksum }) => !build.some((migration) => migration.number === number && migration.checksum === checksum),
  )
  if (unknown.length === 0) return build.filter(({ number }) => migrations.some((migration) => migration.number === number))
  throw new BackupError(
    `The backup was written by Millrace ${version}, whose schema this version does not know (${unknown[0]?.name}). Restore it with that version or a newer one.`,
  )
}

async function assertEmpty(url: string): Promise<void> {
  const client = new DatabaseClient({ connectionString: url, application_name: 'millrace restore' })
  try {
    await client.connect()
    const { rows } = await client.query<{ readonly has: boolean }>(`select to_regclass('public.accounts') is not null as has`)
    // The tables of an attempt that failed have no rows.
    const used = rows[0]?.has === true && ((await client.query('select from accounts limit 1')).rowCount ?? 0) > 0
    if (used)
      throw new BackupError(
        'The database is not empty: it has the accounts of an installation. Restore into a new database, or into a new directory with --home DIR.',
      )
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function loadTables(client: pg.Client, lines: Lines): Promise<BackupSummary> {
  const tables = await listTables(client)
  const names = new Set(tables.map(qualified))
  // Migrations may have inserted rows, which the backup has too. Triggers of ours would make rows a second time.
  for (const table of tables) await client.query(`alter table ${qualified(table)} disable trigger user`)
  await client.query(`truncate ${tables.map(qualified).join(', ')} cascade`)
  let rows = 0
  for (let count = 0; ; count++) {
    const next = await lines.next()
    if (next.done === true) throw new BackupError('The backup is incomplete: its end is missing. Use another one.')
    const value = parsedLine(next.value)
    const footer = BackupFooter.safeParse(value)
    if (footer.success) {
      if (footer.data.rows !== rows || footer.data.tables !== count)
        throw new BackupError(`The backup is damaged: it has ${rows} rows and should have ${footer.data.rows}.`)
      await setSequences(client, footer.data.sequences)
      for (const table of tables) await client.query(`alter table ${qualified(table)} enable trigger user`)
      return { tables: count, rows }
    }
    const table = TableHeader.safeParse(value)
    if (!table.success || !names.has(qualified(table.data))) throw new BackupError('The backup is damaged: it names an unknown table.')
    rows += await loadRows(client, table.data, lines)
  }
}

const endOfRows = Buffer.from(`${END_OF_ROWS}\n`)

async function loadRows(client: pg.Client, table: TableHeader, lines: Lines): Promise<number> {
  const stream = client.query(copyStreams.from(`copy ${qualified(table)} (${table.columns.map(quoted).join(', ')}) from stdin`))
  const ended = Promise.withResolvers<void>()
  stream.on('finish', () => ended.resolve())
  stream.on('error', (error) => ended.reject(error))
  ended.promise.catch(() => undefined)
  let rows = 0
  for (;;) {
    const next = await lines.next()
    if (next.done === true) {
      stream.destroy()
      throw new BackupError('The backup is incomplete: its end is missing. Use another one.')
    }
    if (next.value.equals(endOfRows)) break
    rows += 1
    if (!stream.write(next.value)) await Promise.race([once(stream, 'drain'), ended.promise])
  }
  stream.end()
  await ended.promise
  return rows
}

async function setSequences(client: pg.Client, sequences: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(sequences)) await client.query('select setval($1::regclass, $2::bigint)', [name, value])
}
