import { readMigrations } from '@millrace/server'
import { describe, expect, test } from 'vitest'
import { createFolder, runCli } from '#testing/cli.ts'
import { createPostgres } from '#testing/postgres.ts'
import { runHere } from '#testing/run-here.ts'

describe('millrace migrate', () => {
  test('--status lists missing migrations and changes nothing', async () => {
    await using database = await createPostgres('empty')
    const { exitCode, stdout } = await runHere(['migrate', '--status'], { env: { DATABASE_URL: database.url } })
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^pending {2}0001_platform$/m)
    expect(stdout).toContain('pending: "millrace migrate" applies them.')
    expect(await database.query(`select 1 from pg_tables where schemaname = 'public'`)).toEqual([])
  })

  test('migrate applies every migration once; a second run applies none', async () => {
    await using database = await createPostgres('empty')
    const env = { DATABASE_URL: database.url }
    const count = (await readMigrations()).length
    const first = await runCli(['migrate'], { env })
    expect(first).toMatchObject({ exitCode: 0, stdout: `${count} migrations applied; the database is up to date.\n` })
    expect(first.stderr).toMatch(/^✓ 0001_platform /m)
    expect(await database.query('select count(*)::int as count from schema_migrations')).toEqual([{ count }])
    expect(await runHere(['migrate'], { env })).toEqual({ exitCode: 0, stdout: 'The database is up to date.\n', stderr: '' })
    expect((await runHere(['migrate', '--status'], { env })).stdout).toMatch(/^applied {2}0001_platform$/m)
  })

  test('--json prints the state of every migration and nothing else', async () => {
    await using database = await createPostgres('empty')
    const { stdout, stderr } = await runHere(['migrate', '--json'], { env: { DATABASE_URL: database.url } })
    expect(stderr).toBe('')
    const outcome = JSON.parse(stdout)
    expect(outcome).toMatchObject({ database: 'external', applied: outcome.migrations.length })
    expect(outcome.migrations[0]).toEqual({ number: 1, name: 'platform', state: 'applied' })
  })

  test('a database of a newer release is refused', async () => {
    await using database = await createPostgres('migrated')
    await database.query(`insert into schema_migrations (number, name, checksum) values (9999, 'future', 'x')`)
    const { exitCode, stdout, stderr } = await runHere(['migrate'], { env: { DATABASE_URL: database.url } })
    expect(exitCode).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^error: The database has migration 9999_future, which this release of Millrace does not know/)
  })

  test('an unreachable database is reported with what to check and without the password', async () => {
    const { exitCode, stderr } = await runHere(['migrate'], { env: { DATABASE_URL: 'postgres://ada:hunter2@127.0.0.1:1/none' } })
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^error: .*ECONNREFUSED/)
    expect(stderr).toContain('hint:  Check DATABASE_URL')
    expect(stderr).not.toContain('hunter2')
  })

  test('a wrong configuration ends with 2 and names every mistake', async () => {
    const { exitCode, stderr } = await runHere(['migrate'], { env: { PORT: 'abc', DATABASE_URL: 'mysql://x' } })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('PORT')
    expect(stderr).toContain('DATABASE_URL')
  })

  test('without DATABASE_URL the built-in PostgreSQL is created, migrated and stopped', async () => {
    await using folder = await createFolder()
    const home = folder.file('home')
    const { exitCode, stdout } = await runCli(['migrate', '--home', home, '--json'])
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ database: 'embedded' })
    const doctor = await runHere(['doctor', '--home', home, '--json'], { env: { PORT: '0' } })
    expect(JSON.parse(doctor.stdout).checks).toContainEqual(expect.objectContaining({ name: 'Migrations', state: 'ok' }))
  })
})
