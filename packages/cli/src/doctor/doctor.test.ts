import { randomBytes } from 'node:crypto'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fingerprintOf } from '@millrace/server'
import { describe, expect, test } from 'vitest'
import { createFolder, runCli } from '#testing/cli.ts'
import { startHttpService } from '#testing/http-service.ts'
import { createPostgres } from '#testing/postgres.ts'
import { runHere } from '#testing/run-here.ts'
import { checkClock } from './check-clock.ts'
import { checkDisk } from './check-disk.ts'
import { checkHome } from './check-home.ts'
import { checkNode } from './check-node.ts'
import { checkPort } from './check-port.ts'

describe('millrace doctor', () => {
  test('a healthy installation passes every check and ends with 0', async () => {
    await using database = await createPostgres('migrated')
    await using folder = await createFolder()
    const env = { DATABASE_URL: database.url, PORT: '0', MILLRACE_HOME: folder.path }
    const { exitCode, stdout } = await runCli(['doctor'], { env })
    expect(exitCode).toBe(0)
    for (const name of [
      'Node.js',
      'Configuration',
      'Data directory',
      'Disk space',
      'Port',
      'Database',
      'Migrations',
      'Account isolation',
      'Storage',
      'Clock',
    ]) {
      expect(stdout).toMatch(new RegExp(`^(✓ ok|! warn) +${name} `, 'm'))
    }
    expect(stdout).toMatch(/guarded by row-level security/)
    for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80 + folder.path.length)
  })

  test('executions without a partition and the end of the partitions give a warning', async () => {
    await using database = await createPostgres('migrated')
    await using folder = await createFolder()
    const env = { DATABASE_URL: database.url, PORT: '0', MILLRACE_HOME: folder.path }
    const storage = async () => /^.*Storage .*$/m.exec((await runHere(['doctor'], { env })).stdout)?.[0]
    const insertExecution = () =>
      database.query(`insert into executions (id, account_id, workflow_id, version_id, state, trigger, actor, input, created_at)
        select '01c00000-0000-7000-8000-000000000000', x, x, x, 'pending', 'manual', 'x', '{}', now() from gen_random_uuid() x`)
    // As after a restore.
    await insertExecution()
    expect(await storage()).toMatch(/^✓ ok/)
    await database.query('delete from executions')
    await database.query(
      `create table executions_20250101 partition of executions for values from ('01b00000-0000-7000-8000-000000000000') to ('01b10000-0000-7000-8000-000000000000')`,
    )
    expect(await storage()).toMatch(/^✓ ok/)
    await insertExecution()
    expect(await storage()).toMatch(/^! warn.*executions came when no partition was ready/)
  })

  test('a key that is missing, wrong or no key at all fails, and the right one passes', async () => {
    await using database = await createPostgres('migrated')
    await using folder = await createFolder()
    const key = randomBytes(32)
    await database.query(
      `insert into installation_key (fingerprint, recorded_at) values ('\\x${fingerprintOf(key).toString('hex')}', now())`,
    )
    const lineOf = async (environment: Readonly<Record<string, string>>) => {
      const env = { DATABASE_URL: database.url, PORT: '0', MILLRACE_HOME: folder.path, ...environment }
      const { exitCode, stdout } = await runCli(['doctor', '--json'], { env })
      const { checks } = JSON.parse(stdout)
      return [exitCode, checks.find(({ name }: { readonly name: string }) => name === 'Secret key')?.message]
    }
    expect(await lineOf({})).toEqual([1, `${folder.path}/secret.key is missing, and the database is sealed under a key.`])
    expect(await lineOf({ MILLRACE_SECRET_KEY: 'ab'.repeat(32) })).toEqual([1, 'the database is sealed under another one.'])
    expect(await lineOf({ MILLRACE_SECRET_KEY: key.toString('hex') })).toEqual([0, 'the database is sealed under it.'])
    await writeFile(join(folder.path, 'secret.key'), 'wrong', { mode: 0o600 })
    expect(await lineOf({})).toEqual([1, expect.stringContaining('is not 32 bytes')])
  })

  test('missing migrations give a warning and end with 0', async () => {
    await using database = await createPostgres('empty')
    await using folder = await createFolder()
    const { exitCode, stdout } = await runHere(['doctor'], { env: { DATABASE_URL: database.url, PORT: '0', MILLRACE_HOME: folder.path } })
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/! warn {2}Migrations +none is applied/)
    expect(stdout).toContain('→ Run "millrace migrate"')
  })

  test('--json prints every check with its remedy, and an unreachable database ends with 1', async () => {
    await using folder = await createFolder()
    const env = { DATABASE_URL: 'postgres://ada:hunter2@127.0.0.1:1/none', PORT: '0', MILLRACE_HOME: folder.path }
    const { exitCode, stdout, stderr } = await runHere(['doctor', '--json'], { env })
    expect(exitCode).toBe(1)
    expect(`${stdout}${stderr}`).not.toContain('hunter2')
    const { healthy, checks } = JSON.parse(stdout)
    expect(healthy).toBe(false)
    expect(checks).toContainEqual({
      name: 'Database',
      state: 'fail',
      message: 'is not reachable: connect ECONNREFUSED 127.0.0.1:1.',
      remedy: 'Check that it is running and that host, user, password and name in DATABASE_URL are right.',
    })
  })

  test('every wrong variable and every unknown one is named', async () => {
    const wrong = await runHere(['doctor', '--json'], { env: { PORT: 'abc', MILLRACE_ROLES: 'api,wroker' } })
    expect(wrong.exitCode).toBe(1)
    const messages: readonly { readonly message: string; readonly state: string }[] = JSON.parse(wrong.stdout).checks
    expect(messages.filter(({ state }) => state === 'fail').map(({ message }) => message.split(' ')[0])).toEqual(
      expect.arrayContaining(['PORT', 'MILLRACE_ROLES']),
    )
    await using folder = await createFolder()
    const odd = await runHere(['doctor'], { env: { PORT: '0', MILLRACE_HOME: folder.path, MILLRACE_PORT: '1' } })
    expect(odd.exitCode).toBe(0)
    expect(odd.stdout).toMatch(/! warn {2}Configuration +MILLRACE_PORT/)
  })

  test('doctor creates nothing in an empty home', async () => {
    await using folder = await createFolder()
    const { exitCode, stdout } = await runCli(['doctor', '--home', folder.file('later')], { env: { PORT: '0' } })
    expect(exitCode).toBe(0)
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('the built-in PostgreSQL will be made at the first start.')
    expect((await checkHome(folder.file('later'))).message).toContain('will be made')
  })
})

describe('one check', () => {
  test.each([
    ['24.21.0', 'ok'],
    ['22.18.0', 'ok'],
    ['22.17.9', 'fail'],
    ['20.11.0', 'fail'],
  ])('Node.js %s gives %s', (version, state) => {
    expect(checkNode(version).state).toBe(state)
  })

  test.each([
    [10_000_000_000, 'ok'],
    [1_000_000_000, 'warn'],
    [100_000_000, 'fail'],
  ])('%d free bytes gives %s', (freeBytes, state) => {
    expect(checkDisk({ freeBytes, totalBytes: 20_000_000_000 }, '/data')).toMatchObject({ state })
  })

  test('a clock that was never set fails, and one that differs from the database warns', () => {
    const now = Date.UTC(2026, 10, 1)
    expect(checkClock(0, undefined).state).toBe('fail')
    expect(checkClock(now, undefined).state).toBe('ok')
    expect(checkClock(now, now - 4_000).state).toBe('ok')
    expect(checkClock(now, now + 60_000)).toMatchObject({ state: 'warn', message: expect.stringContaining('1 min 0 s') })
  })

  test('a port of another program fails; a port of Millrace and a free port pass', async () => {
    await using other = await startHttpService(() => ({ body: { status: 'ok' } }))
    const port = Number(new URL(other.url).port)
    expect(await checkPort({ host: '127.0.0.1', port })).toMatchObject({
      state: 'fail',
      message: expect.stringContaining('another program'),
    })
    expect(await checkPort({ host: '127.0.0.1', port: 0 })).toMatchObject({ state: 'ok' })
    expect(await checkPort({ host: '192.0.2.1', port })).toMatchObject({
      state: 'fail',
      message: '192.0.2.1 is not an address of this machine.',
    })
  })

  test('a data directory that is a file fails, and one whose key others can read warns', async () => {
    await using folder = await createFolder({ file: '', 'secret.key': 'k' })
    expect(await checkHome(folder.file('file'))).toMatchObject({ state: 'fail' })
    await chmod(folder.file('secret.key'), 0o644)
    expect(await checkHome(folder.path)).toMatchObject({ state: 'warn', remedy: `Close it: chmod go-rwx ${folder.file('secret.key')}` })
    await chmod(folder.file('secret.key'), 0o600)
    expect(await checkHome(folder.path)).toMatchObject({ state: 'ok' })
    await mkdir(folder.file('postgres/data'), { recursive: true })
    await chmod(folder.file('postgres/data'), 0o755)
    expect(await checkHome(folder.path)).toMatchObject({ state: 'warn' })
  })
})
