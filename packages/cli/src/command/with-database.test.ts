import { readdir } from 'node:fs/promises'
import { readConfig } from '@millrace/server'
import { describe, expect, test } from 'vitest'
import { createFolder, runCli } from '#testing/cli.ts'
import { createPostgres } from '#testing/postgres.ts'
import { exitCodes } from './exit-code.ts'
import { Failure, messageOf, systemCodeOf, usageFailure } from './failure.ts'
import { readConfiguration } from './read-configuration.ts'
import { withDatabase } from './with-database.ts'

describe('the database of a command', () => {
  test('a command uses the database of DATABASE_URL and returns the result or failure of its work', async () => {
    await using database = await createPostgres('empty')
    const config = readConfig({ DATABASE_URL: database.url })
    expect(await withDatabase(config, async ({ url, kind }) => `${kind} ${url === database.url}`)).toBe('external true')
    await expect(withDatabase(config, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  })

  test('a connection that cannot be made fails with the message of its cause', async () => {
    await using folder = await createFolder({ file: '' })
    const config = readConfig({ MILLRACE_HOME: folder.file('file') })
    const refused = withDatabase(config, () => Promise.resolve())
    await expect(refused).rejects.toBeInstanceOf(Failure)
    await expect(refused).rejects.toThrow(`MILLRACE_HOME ${folder.file('file')} is not a directory`)
  })

  test('the built-in database is stopped after the work, so that the next command can use it', async () => {
    await using folder = await createFolder()
    const config = readConfig({ MILLRACE_HOME: folder.file('home') })
    await expect(withDatabase(config, () => Promise.reject(new Error('the work failed')))).rejects.toThrow('the work failed')
    expect(await withDatabase(config, async ({ kind }) => kind)).toBe('embedded')
  })
})

test('commands that only look, and the retention of accounts, use the built-in database while a server runs it', async () => {
  await using folder = await createFolder()
  const home = folder.file('home')
  const run = (...args: readonly string[]) => runCli([...args, '--home', home], { cwd: folder.path })
  expect(await run('migrate')).toMatchObject({ exitCode: 0 })
  await withDatabase(readConfig({ MILLRACE_HOME: home }), async () => {
    for (const args of [['verify', '--all'], ['retention'], ['migrate', '--status']])
      expect([args, await run(...args)]).toMatchObject([args, { exitCode: 0 }])
  })
})

test.each([['verify', '--all'], ['retention'], ['migrate', '--status']])(
  'millrace %s %s, which only looks, makes no database',
  async (...args) => {
    await using folder = await createFolder()
    const { exitCode, stdout, stderr } = await runCli([...args, '--home', 'home'], { cwd: folder.path })
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toBe(
      `error: There is no database under ${folder.file('home')}.\nhint:  Name its directory with --home DIR, or set DATABASE_URL. "millrace start" creates a database.\n`,
    )
    expect(await readdir(folder.path)).toEqual([])
  },
)

describe('the configuration of a command', () => {
  test('options of the command line override the environment', () => {
    const { http, home } = readConfiguration({ port: '8080', host: '0.0.0.0', home: '/tmp/somewhere' })
    expect(http).toMatchObject({ port: 8080, host: '0.0.0.0' })
    expect(home).toBe('/tmp/somewhere')
  })

  test.each(['8o', '65536', '-1', '', '1e3', ' 80'])('refuses the port %j', (port) => {
    expect(() => readConfiguration({ port })).toThrow('a port is a number from 0 to 65535')
  })
})

describe('a failure', () => {
  test('a failure has exit code 1 unless it is of wrong usage', () => {
    expect(new Failure('x').exitCode).toBe(exitCodes.failed)
    expect(usageFailure('x', 'try y')).toMatchObject({ exitCode: exitCodes.usage, hint: 'try y' })
  })

  test('a message can be read from any thrown value', () => {
    expect(messageOf(new Error('a'))).toBe('a')
    expect(messageOf('b')).toBe('b')
    expect(systemCodeOf(Object.assign(new Error('c'), { code: 'ENOENT' }))).toBe('ENOENT')
    expect(systemCodeOf(Object.assign(new Error('c'), { code: 5 }))).toBeUndefined()
    expect(systemCodeOf('c')).toBeUndefined()
  })
})
