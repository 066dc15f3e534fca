import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** One forward step of the schema, from a file `NNNN_name.sql`. */
export interface Migration {
  readonly number: number
  readonly name: string
  readonly sql: string
  /** SHA-256 of the text, hexadecimal; line endings do not count. */
  readonly checksum: string
}

const fileName = /^(?<number>\d{4})_(?<name>[a-z0-9_]+)\.sql$/

/** Reads the migrations of some directories as one sequence. Throws when names are not `NNNN_name.sql` or two share a number. */
export async function readMigrationFiles(directories: readonly string[]): Promise<readonly Migration[]> {
  const files = (await Promise.all(directories.map(filesOf))).flat().toSorted((left, right) => (left.name < right.name ? -1 : 1))
  const migrations = files.map(({ name, text }) => parseMigration(name, text))
  for (const [index, migration] of migrations.entries()) {
    if (migrations[index + 1]?.number === migration.number) {
      throw new Error(
        `Two migrations have the number ${migration.number}: ${files[index]?.name} and ${files[index + 1]?.name}. Give one the next free number.`,
      )
    }
  }
  return migrations
}

async function filesOf(directory: string): Promise<readonly { readonly name: string; readonly text: string }[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql'))
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(join(directory, name), 'utf8') })))
}

function parseMigration(file: string, text: string): Migration {
  const groups = fileName.exec(file)?.groups
  if (groups?.['number'] === undefined || groups['name'] === undefined) {
    throw new Error(`Migration ${file} must be named NNNN_lower_case_name.sql`)
  }
  const sql = text.replaceAll('\r\n', '\n')
  return { number: Number(groups['number']), name: groups['name'], sql, checksum: createHash('sha256').update(sql).digest('hex') }
}
