import * as z from 'zod'

/**
 * A backup is text in gzip. The first line is the header as JSON. Each table is a line of JSON (`TableHeader`), its rows in the text format of COPY,
 * and a line `\.`. The last line is the footer; a file without it is incomplete.
 */
export const BackupHeader = z.object({
  format: z.literal('millrace/backup'),
  formatVersion: z.literal(1),
  createdAt: z.iso.datetime(),
  /** Version of Millrace that wrote it. */
  version: z.string(),
  /** Migrations of the schema, in order. */
  migrations: z.array(z.object({ number: z.int(), name: z.string(), checksum: z.string() })),
})

export type BackupHeader = z.output<typeof BackupHeader>

export const TableHeader = z.object({
  schema: z.string(),
  table: z.string(),
  columns: z.array(z.string()).min(1),
})

export type TableHeader = z.output<typeof TableHeader>

export const BackupFooter = z.object({
  end: z.literal(true),
  tables: z.int(),
  rows: z.int(),
  /** The last value of each sequence, by its qualified name. */
  sequences: z.record(z.string(), z.string()),
})

export type BackupFooter = z.output<typeof BackupFooter>

/** The line that ends the rows of a table. */
export const END_OF_ROWS = '\\.'
