import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'

/** The built-in PostgreSQL of an installation in its own process, with production settings: commits are on disk. */
const embeddedProcess = fileURLToPath(new URL('../../../server/src/testing/embedded-process.ts', import.meta.url))
const cli = fileURLToPath(new URL('../../../cli/src/main.ts', import.meta.url))
const RESTART_MS_MAX = 180_000

/** How PostgreSQL is stopped: `immediate` is a crash, `fast` aborts running transactions and shuts down in order. */
export type Stop = 'immediate' | 'fast'

export interface RunPostgres {
  /** Direct connection string. */
  readonly url: string
  /** Path of its Unix socket. */
  readonly socket: string
  /** Connection string through a local port. */
  urlAt(port: number): string
  /** Stops it; its supervisor starts it again. Resolves when it accepts connections. */
  restart(stop: Stop): Promise<void>
  close(): Promise<void>
}

/** Starts a PostgreSQL with a migrated database. Its data is under `home` and is not deleted. */
export async function startRunPostgres(home: string): Promise<RunPostgres> {
  const process_ = spawn(process.execPath, [embeddedProcess, home, '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const { url } = await readFirstLine(process_)
  const parsed = new URL(url)
  const directory = parsed.searchParams.get('host')
  if (directory === null) throw new Error(`PostgreSQL does not listen on a socket: ${parsed.host}`)
  await promisify(execFile)(process.execPath, [cli, 'migrate'], { env: { ...process.env, DATABASE_URL: url, MILLRACE_HOME: home } })
  return {
    url,
    socket: join(directory, '.s.PGSQL.5432'),
    urlAt: (port) => `postgresql://${parsed.username}:${parsed.password}@127.0.0.1:${port}${parsed.pathname}`,
    async restart(stop) {
      const before = await readPid(home)
      process.kill(before, stop === 'immediate' ? 'SIGQUIT' : 'SIGINT')
      for (const deadline = Date.now() + RESTART_MS_MAX; Date.now() < deadline; await pause(20)) {
        const now = await readPid(home).catch(() => before)
        if (now !== before && (await acceptsConnections(url))) return
      }
      throw new Error(`PostgreSQL did not restart within ${RESTART_MS_MAX / 1_000} s`)
    },
    async close() {
      const exited = once(process_, 'exit')
      const pid = await readPid(home)
      process_.kill('SIGKILL')
      await exited
      // The guard of the killed process stops PostgreSQL.
      for (let left = 200; left > 0 && isAlive(pid); left--) await pause(50)
    },
  }
}

async function readFirstLine({ stdout }: ChildProcess): Promise<{ readonly url: string }> {
  if (stdout === null) throw new Error('the process has no output')
  const lines = stdout[Symbol.asyncIterator]()
  const { value } = await lines.next()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- embedded-process.ts writes it.
  return JSON.parse(String(value)) as { readonly url: string }
}

async function readPid(home: string): Promise<number> {
  const pid = Number((await readFile(join(home, 'postgres', 'data', 'postmaster.pid'), 'utf8')).split('\n')[0])
  if (!Number.isSafeInteger(pid) || pid <= 0) throw new Error('postmaster.pid is not written yet')
  return pid
}

async function acceptsConnections(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
