import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { readPostmasterFile, waitForEnd } from './postmaster.ts'
import { startEmbedded } from './start-embedded.ts'

const script = fileURLToPath(import.meta.resolve('#testing/embedded-process.ts'))
let home = ''
let children: ChildProcess[] = []

// Making a data directory on the disk takes seconds, copying one does not.
let seed = ''

beforeAll(async () => {
  seed = await mkdtemp(join(tmpdir(), 'millrace-seed-'))
  await chmod(seed, 0o755)
  await (await startEmbedded({ home: join(seed, 'home'), randomBytes })).stop()
})

beforeEach(async () => {
  home = join(await mkdtemp(join(tmpdir(), 'millrace-home-')), 'home')
  await chmod(join(home, '..'), 0o755)
  await promisify(execFile)('cp', ['-a', join(seed, 'home'), home])
  children = []
})

afterAll(async () => {
  await rm(seed, { recursive: true })
})

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  const left = await readPostmasterFile(join(home, 'postgres/data'))
  if (left !== undefined) {
    process.kill(left.pid, 'SIGQUIT')
    await waitForEnd(left.pid, 10_000)
  }
  await rm(join(home, '..'), { recursive: true })
})

async function query(url: string, statement: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** Starts the built-in PostgreSQL in a child process. */
async function startElsewhere(graceSeconds: number): Promise<{ readonly child: ChildProcess; readonly pid: number; readonly url: string }> {
  const child = spawn(process.execPath, [script, home, String(graceSeconds)], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const [line] = await once(createInterface(child.stdout), 'line')
  return { child, ...JSON.parse(String(line)) }
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

test('committed data survives a stop and a start', async () => {
  const first = await startEmbedded({ home, randomBytes })
  await query(first.url, 'create table kept as select 1 as n')
  await first.stop()
  const second = await startEmbedded({ home, randomBytes })
  expect(second.adopted).toBe(false)
  expect(await query(second.url, 'select n from kept')).toEqual([{ n: 1 }])
  await second.stop()
})

test('durability settings are on, and the role is not a superuser', async () => {
  const postgres = await startEmbedded({ home, randomBytes })
  const [row] = await query(
    postgres.url,
    `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit, current_setting('full_page_writes') as pages,
       (select rolsuper from pg_roles where rolname = current_user) as super`,
  )
  expect(row).toEqual({ fsync: 'on', commit: 'on', pages: 'on', super: false })
  await postgres.stop()
})

test('the password is random, readable only by its owner, and required', async () => {
  const postgres = await startEmbedded({ home, randomBytes })
  const file = join(home, 'postgres-password')
  const password = (await readFile(file, 'utf8')).trim()
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(password.length).toBeGreaterThanOrEqual(32)
  await expect(query(postgres.url.replace(password, 'wrong'), 'select 1')).rejects.toThrow('password authentication failed')
  await postgres.stop()
})

test('a second start is refused while PostgreSQL runs, and does not disturb it', async () => {
  const first = await startEmbedded({ home, randomBytes })
  await expect(startEmbedded({ home, randomBytes })).rejects.toThrow(`Millrace already runs on ${home}: process ${process.pid}`)
  expect(await query(first.url, 'select 1 as n')).toEqual([{ n: 1 }])
  await first.stop()
})

test('a killed PostgreSQL is restarted on the same address with all committed data', async () => {
  const errors: string[] = []
  const postgres = await startEmbedded({ home, randomBytes, onError: (error) => errors.push(error.message) })
  await query(postgres.url, 'create table kept as select 1 as n')
  const killed = postgres.pid
  process.kill(killed, 'SIGKILL')
  await expect.poll(() => postgres.pid).not.toBe(killed)
  expect(await query(postgres.url, 'select n from kept')).toEqual([{ n: 1 }])
  expect(errors).toEqual([`The built-in PostgreSQL (process ${killed}) ended unexpectedly and was restarted (process ${postgres.pid})`])
  await postgres.stop()
  expect(await waitForEnd(postgres.pid, 0)).toBe(true)
})

test('after SIGKILL of Millrace, the running PostgreSQL is adopted with all committed data', async () => {
  const first = await startElsewhere(60)
  await query(first.url, 'create table kept as select 1 as n')
  await kill(first.child)
  const second = await startEmbedded({ home, randomBytes })
  expect(second).toMatchObject({ adopted: true, pid: first.pid })
  expect(await query(second.url, 'select n from kept')).toEqual([{ n: 1 }])
  await second.stop()
  expect(await waitForEnd(first.pid, 0)).toBe(true)
})

test('after SIGKILL of Millrace and PostgreSQL, a new start recovers all committed data', async () => {
  const first = await startElsewhere(60)
  await query(first.url, 'create table kept as select 1 as n')
  await kill(first.child)
  process.kill(first.pid, 'SIGKILL')
  const second = await startEmbedded({ home, randomBytes })
  expect(second.adopted).toBe(false)
  expect(await query(second.url, 'select n from kept')).toEqual([{ n: 1 }])
  await second.stop()
})

test('after SIGKILL of Millrace, PostgreSQL is stopped when no successor adopts it', async () => {
  const first = await startElsewhere(0)
  await kill(first.child)
  expect(await waitForEnd(first.pid, 10_000)).toBe(true)
  expect(await readPostmasterFile(join(home, 'postgres/data'))).toBeUndefined()
})

test('after SIGKILL of Millrace, an adopted PostgreSQL is not stopped', async () => {
  const first = await startElsewhere(1)
  await kill(first.child)
  const second = await startEmbedded({ home, randomBytes, graceSeconds: 60 })
  expect(await waitForEnd(first.pid, 2_500)).toBe(false)
  expect(await query(second.url, 'select 1 as n')).toEqual([{ n: 1 }])
  await second.stop()
})

test('a process that got the id of a dead PostgreSQL does not prevent a start', async () => {
  const first = await startElsewhere(60)
  await kill(first.child)
  process.kill(first.pid, 'SIGKILL')
  await waitForEnd(first.pid, 10_000)
  const path = join(home, 'postgres/data/postmaster.pid')
  await writeFile(path, (await readFile(path, 'utf8')).replace(/^\d+/, '1'))
  const second = await startEmbedded({ home, randomBytes })
  expect(second.adopted).toBe(false)
  await second.stop()
})

test('data of another major version is refused with instructions, and not changed', async () => {
  await writeFile(join(home, 'postgres/data/PG_VERSION'), '17\n')
  await expect(startEmbedded({ home, randomBytes })).rejects.toThrow(
    /made by PostgreSQL 17, and this release of Millrace brings PostgreSQL 18.*pg_dump/s,
  )
  // The lock was released: the same error again, and not "already runs".
  await expect(startEmbedded({ home, randomBytes })).rejects.toThrow('made by PostgreSQL 17')
})

test('data without its password file is refused, which leaves nothing running and locked', async () => {
  const file = join(home, 'postgres-password')
  const password = await readFile(file, 'utf8')
  await rm(file)
  await expect(startEmbedded({ home, randomBytes })).rejects.toThrow(/postgres-password is missing.*Restore the file from a backup/)
  await writeFile(file, 'another password\n')
  await expect(startEmbedded({ home, randomBytes })).rejects.toThrow('password authentication failed')
  expect(await readPostmasterFile(join(home, 'postgres/data'))).toBeUndefined()
  await writeFile(file, password)
  await (await startEmbedded({ home, randomBytes })).stop()
})

test('a start after an interrupted initialisation creates the data directory anew', async () => {
  await rm(join(home, 'postgres/data'), { recursive: true })
  await writeFile(join(home, 'postgres/data.new'), 'half made')
  const postgres = await startEmbedded({ home, randomBytes })
  expect(await query(postgres.url, 'select 1 as n')).toEqual([{ n: 1 }])
  await postgres.stop()
})

test('a MILLRACE_HOME that is not a directory is refused by its name', async () => {
  await writeFile(join(home, 'file'), '')
  await expect(startEmbedded({ home: join(home, 'file'), randomBytes })).rejects.toThrow(`MILLRACE_HOME ${join(home, 'file')}`)
})

test('a path too long for a unix socket is served on a free local port', async () => {
  const postgres = await startEmbedded({ home: join(home, 'x'.repeat(120)), randomBytes })
  expect(postgres.url).toContain('@127.0.0.1:')
  expect(await query(postgres.url, 'select 1 as n')).toEqual([{ n: 1 }])
  await postgres.stop()
})

test.runIf(process.getuid?.() === 0)('a MILLRACE_HOME that only root can enter works', async () => {
  const closed = await mkdtemp('/root/millrace-home-')
  const postgres = await startEmbedded({ home: closed, randomBytes })
  expect(await query(postgres.url, 'select 1 as n')).toEqual([{ n: 1 }])
  await postgres.stop()
  await rm(closed, { recursive: true })
})
