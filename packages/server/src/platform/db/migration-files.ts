import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** One forward step of the schema, as it stands in a file `NNNN_name.sql`. */
export interface Migration {
  readonly number: number
  readonly name: string
  readonly sql: string
  /** SHA-256 of the text, hexadecimal; line endings do not count. */
  readonly checksum: string
}

const fileName = /^(?<number>\d{4})_(?<name>[a-z0-9_]+)\.sql$/

/** The migrations that came with this release. */
export const migrationsDirectory = fileURLToPath(new URL('../../../migrations/', import.meta.url))

/** Reads all migrations of a directory, in order. Throws when names are not `NNNN_name.sql` or two share a number. */
export async function readMigrations(directory: string = migrationsDirectory): Promise<readonly Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).toSorted()
  const migrations = await Promise.all(names.map(async (name) => parseMigration(name, await readFile(join(directory, name), 'utf8'))))
  for (const [index, migration] of migrations.entries()) {
    if (migrations[index + 1]?.number === migration.number) {
      throw new Error(
        `Two migrations have the number ${migration.number}: ${names[index]} and ${names[index + 1]}. Give one the next free number.`,
      )
    }
  }
  return migrations
}

function parseMigration(file: string, text: string): Migration {
  const groups = fileName.exec(file)?.groups
  if (groups?.['number'] === undefined || groups['name'] === undefined) {
    throw new Error(`Migration ${file} must be named NNNN_lower_case_name.sql`)
  }
  const sql = text.replaceAll('\r\n', '\n')
  return { number: Number(groups['number']), name: groups['name'], sql, checksum: createHash('sha256').update(sql).digest('hex') }
}
