import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createEmptyTestDatabase, type TestDatabase } from '#testing/database.ts'
import { migrate, readMigrationState } from './migrate.ts'
import { readMigrations } from '#compose/migrations.ts'
import { type Migration, readMigrationFiles } from './migration-files.ts'

let db: TestDatabase

beforeEach(async () => {
  db = await createEmptyTestDatabase()
})

afterEach(async () => {
  await db.drop()
})

function migration(number: number, text: string): Migration {
  return { number, name: `step_${number}`, sql: text, checksum: `checksum of ${text}` }
}

const first = migration(1, 'create table one (id integer)')
const second = migration(2, 'create table two (id integer)')

async function tables(): Promise<readonly unknown[]> {
  const { rows } = await sql<{ readonly tablename: string }>`
    select tablename from pg_tables where schemaname = 'public' order by tablename`.execute(db.database.system)
  return rows.map(({ tablename }) => tablename)
}

test('migrations run in order, once, and are reported', async () => {
  const applied: number[] = []
  const run = async (migrations: readonly Migration[]) =>
    await migrate({ url: db.url, migrations, onApplied: ({ number }) => applied.push(number) })
  await run([first])
  expect(await run([first, second])).toEqual({ applied: [1, 2], pending: [] })
  await run([first, second])
  expect(applied).toEqual([1, 2])
  expect(await tables()).toEqual(['one', 'schema_migrations', 'two'])
})

test('the state says what is pending and changes nothing', async () => {
  expect(await readMigrationState({ url: db.url, migrations: [first] })).toEqual({ applied: [], pending: [1] })
  await migrate({ url: db.url, migrations: [first] })
  expect(await readMigrationState({ url: db.url, migrations: [first, second] })).toEqual({ applied: [1], pending: [2] })
  expect(await tables()).toEqual(['one', 'schema_migrations'])
})

test('processes that migrate at once run each migration once', async () => {
  const applied: number[] = []
  const slow = migration(1, 'create table one (id integer); select pg_sleep(0.2)')
  await Promise.all(
    [1, 2, 3].map(() => migrate({ url: db.url, migrations: [slow, second], onApplied: ({ number }) => applied.push(number) })),
  )
  expect(applied).toEqual([1, 2])
})

test('waiting too long for a concurrent migration is an error', async () => {
  const blocker = new pg.Client({ connectionString: db.url })
  await blocker.connect()
  await blocker.query('select pg_advisory_lock($1)', [0x6d696c6c])
  await expect(migrate({ url: db.url, migrations: [first], lockTimeoutMs: 50 })).rejects.toThrow('Another process has been migrating')
  await blocker.end()
})

test('a migration that fails leaves nothing of itself and everything before it', async () => {
  const broken = migration(2, 'create table two (id integer);\n\nselect nonsense from nowhere')
  await expect(migrate({ url: db.url, migrations: [first, broken] })).rejects.toThrow(
    'Migration 0002_step_2 failed and was rolled back: relation "nowhere" does not exist (line 3)',
  )
  expect(await tables()).toEqual(['one', 'schema_migrations'])
  expect(await migrate({ url: db.url, migrations: [first, second] })).toMatchObject({ applied: [1, 2] })
})

describe('a database that does not fit is refused untouched', () => {
  test('when an applied migration was edited', async () => {
    await migrate({ url: db.url, migrations: [first] })
    const edited = { ...first, checksum: 'another' }
    await expect(migrate({ url: db.url, migrations: [edited, second] })).rejects.toThrow(
      '0001_step_1 was changed after it had been applied',
    )
    expect(await tables()).not.toContain('two')
  })

  test('when a newer release has migrated it', async () => {
    await migrate({ url: db.url, migrations: [first, second] })
    await expect(migrate({ url: db.url, migrations: [first] })).rejects.toThrow('0002_step_2, which this release of Millrace does not know')
  })

  test('when a migration was put in below one that is applied', async () => {
    await migrate({ url: db.url, migrations: [second] })
    await expect(migrate({ url: db.url, migrations: [first, second] })).rejects.toThrow('Give it the next free number')
  })
})

describe('migration files', () => {
  let directory = ''

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'millrace-migrations-'))
  })

  afterEach(async () => {
    await rm(directory, { recursive: true })
  })

  test('migration files are read in order, and line endings do not change their checksum', async () => {
    await writeFile(join(directory, '0002_b.sql'), 'select 1;\r\nselect 2;\r\n')
    await writeFile(join(directory, '0001_a.sql'), 'select 1;\nselect 2;\n')
    await writeFile(join(directory, 'notes.txt'), 'not a migration')
    const migrations = await readMigrationFiles([directory])
    expect(migrations.map(({ number, name }) => [number, name])).toEqual([
      [1, 'a'],
      [2, 'b'],
    ])
    expect(migrations[0]?.checksum).toBe(migrations[1]?.checksum)
  })

  test.each(['1_a.sql', '0001-a.sql', '0001_A.sql', '.sql'])('migration files with another form of name are refused: %s', async (name) => {
    await writeFile(join(directory, name), 'select 1')
    await expect(readMigrationFiles([directory])).rejects.toThrow('must be named')
  })

  test('migration files that share a number are refused', async () => {
    await writeFile(join(directory, '0001_a.sql'), 'select 1')
    await writeFile(join(directory, '0001_b.sql'), 'select 1')
    await expect(readMigrationFiles([directory])).rejects.toThrow('0001_a.sql and 0001_b.sql')
  })

  test('the migrations of this release apply to an empty database without superuser rights, and a second run does nothing', async () => {
    const migrations = await readMigrations()
    await migrate({ url: db.url, migrations })
    expect(await migrate({ url: db.url, migrations })).toMatchObject({ pending: [] })
    const { rows } = await sql`select rolsuper from pg_roles where rolname = current_user`.execute(db.database.system)
    expect(rows).toEqual([{ rolsuper: false }])
  })
})
