import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import copyStreams from 'pg-copy-streams'
import { DatabaseClient } from '#platform/db/database-client.ts'
import { type BackupFooter, type BackupHeader, END_OF_ROWS, type TableHeader } from './backup-format.ts'
import { listTables, qualified, quoted, readSequences } from './catalogue.ts'

export interface BackupOptions {
  readonly url: string
  /** Version of Millrace, for the header. */
  readonly version: string
  readonly createdAt: Date
  /** Called after each table. */
  readonly onTable?: (table: string, rows: number) => void
}

/** What a backup contains. */
export interface BackupSummary {
  readonly tables: number
  readonly rows: number
}

/**
 * Writes every table of an installation as it is at one moment, while servers work: one read-only transaction reads one snapshot. What was
 * acknowledged before the call is in it.
 */
export async function writeBackup(options: BackupOptions, target: NodeJS.WritableStream): Promise<BackupSummary> {
  const client = new DatabaseClient({ connectionString: options.url, application_name: 'millrace backup' })
  await client.connect()
  try {
    await client.query('begin transaction isolation level repeatable read read only')
    const summary = { tables: 0, rows: 0 }
    await pipeline(Readable.from(contents(client, options, summary), { objectMode: false }), createGzip({ level: 6 }), target)
    await client.query('commit')
    return summary
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function* contents(client: pg.Client, options: BackupOptions, summary: { tables: number; rows: number }) {
  yield line(await headerOf(client, options))
  // Sequences are not part of a snapshot: read before the rows, their values could be behind them.
  for (const table of await listTables(client)) {
    yield line(table satisfies TableHeader)
    const copied = yield* rowsOf(client, table)
    yield `${END_OF_ROWS}\n`
    summary.tables += 1
    summary.rows += copied
    options.onTable?.(`${table.schema}.${table.table}`, copied)
  }
  yield line({ end: true, ...summary, sequences: await readSequences(client) } satisfies BackupFooter)
}

async function headerOf(client: pg.Client, { version, createdAt }: BackupOptions): Promise<BackupHeader> {
  const { rows } = await client.query<BackupHeader['migrations'][number]>(
    'select number, name, checksum from schema_migrations order by number',
  )
  return { format: 'millrace/backup', formatVersion: 1, createdAt: createdAt.toISOString(), version, migrations: rows }
}

async function* rowsOf(client: pg.Client, table: TableHeader): AsyncGenerator<Buffer, number> {
  const columns = table.columns.map(quoted).join(', ')
  const stream = client.query(copyStreams.to(`copy (select ${columns} from ${qualified(table)}) to stdout`))
  for await (const chunk of stream) yield Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk))
  return stream.rowCount ?? 0
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`
}
