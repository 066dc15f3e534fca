import { spawn } from 'node:child_process'
import { open, readFile, readlink, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseClient } from '#platform/db/database-client.ts'
import { errorCode } from '#platform/error-code.ts'
import { isProcessAlive } from '#platform/process-liveness.ts'
import { type Endpoint, urlOf } from './endpoint.ts'
import { type Launch, programEnvironment } from './launch.ts'

export interface PostmasterOptions {
  readonly postgres: string
  readonly launch: Launch
  readonly dataDirectory: string
  /** Settings passed on the command line, which override postgresql.conf. */
  readonly settings: Readonly<Record<string, string>>
  /** Where PostgreSQL writes its log. A file and not a pipe, so that PostgreSQL can write it after this process was killed. */
  readonly logFile: string
  readonly startTimeoutMs: number
}

const logBytesMax = 5_000_000
const pollMs = 10

/**
 * Starts PostgreSQL on a data directory and resolves to its process id once it accepts connections. Rejects with the end of its log when it
 * does not.
 *
 * PostgreSQL gets a session of its own, so that Ctrl-C in a terminal reaches this process only, which finishes its work before it stops PostgreSQL.
 */
export async function startPostmaster(options: PostmasterOptions): Promise<number> {
  const settings = Object.entries(options.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const [command, args] = options.launch.command(options.postgres, ['-D', options.dataDirectory, ...settings])
  await truncateLargeLog(options.logFile)
  const log = await open(options.logFile, 'a', 0o600)
  const logStart = (await log.stat()).size
  const child = spawn(command, args, {
    ...options.launch.account,
    cwd: '/',
    detached: true,
    env: programEnvironment(),
    stdio: ['ignore', log.fd, log.fd],
  })
  let endedBy: string | undefined
  child.once('error', (error) => (endedBy = error.message))
  child.once('exit', (code, signal) => (endedBy = signal ?? `code ${code}`))
  child.unref()
  const deadline = performance.now() + options.startTimeoutMs
  try {
    while (performance.now() < deadline) {
      if (endedBy !== undefined) throw await startFailure(`ended while starting (${endedBy})`, options.logFile, logStart)
      const file = await readPostmasterFile(options.dataDirectory)
      if (file?.status === 'ready' && file.pid === child.pid) return file.pid
      await delay(pollMs)
    }
    child.kill('SIGQUIT')
    throw await startFailure(`did not start within ${options.startTimeoutMs / 1000} s`, options.logFile, logStart)
  } finally {
    await log.close()
  }
}

/** Stops a PostgreSQL, started or adopted: it closes connections and writes everything to disk. Resolves when the process has ended. */
export async function stopPostmaster(pid: number, timeoutMs: number): Promise<void> {
  sendSignal(pid, 'SIGINT')
  if (await waitForEnd(pid, timeoutMs)) return
  // Ends without a checkpoint; the next start recovers from the write-ahead log, and nothing committed is lost.
  sendSignal(pid, 'SIGQUIT')
  if (!(await waitForEnd(pid, timeoutMs))) throw new Error(`PostgreSQL (process ${pid}) did not stop within ${(2 * timeoutMs) / 1000} s`)
}

/** Waits for the end of a process; false when it still runs after the timeout. */
export async function waitForEnd(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (isProcessAlive(pid)) {
    if (performance.now() > deadline) return false
    await delay(pollMs)
  }
  return true
}

function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

async function startFailure(what: string, logFile: string, from: number): Promise<Error> {
  const log = (await readFile(logFile)).subarray(from).toString('utf8').trim().split('\n').slice(-12).join('\n')
  return new Error(`The built-in PostgreSQL ${what}. The end of its log ${logFile}:\n${log}`)
}

async function truncateLargeLog(path: string): Promise<void> {
  const size = await stat(path).then(
    (stats) => stats.size,
    () => 0,
  )
  if (size > logBytesMax) await truncate(path)
}

/** What a running PostgreSQL writes about itself to `postmaster.pid`. */
export interface PostmasterFile {
  readonly pid: number
  readonly port: number
  /** Empty when it listens on no unix socket. */
  readonly socketDirectory: string
  readonly status: string
}

/** Reads `postmaster.pid`; `undefined` when it does not exist or is not complete yet. Source: miscinit.c of PostgreSQL, pidfile.h. */
export async function readPostmasterFile(dataDirectory: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(dataDirectory, 'postmaster.pid'), 'utf8').catch(() => '')
  const [pid = '', , , port = '', socketDirectory = '', , , status = ''] = text.split('\n')
  if (!/^-?\d+$/.test(pid)) return undefined
  return { pid: Math.abs(Number(pid)), port: Number(port), socketDirectory, status: status.trim() }
}

/** Where a running PostgreSQL listens. */
export function endpointOf(file: PostmasterFile): Endpoint {
  return file.socketDirectory === '' ? { kind: 'tcp', port: file.port } : { kind: 'socket', directory: file.socketDirectory }
}

/** A PostgreSQL that accepts connections. */
export interface RunningPostmaster {
  readonly pid: number
  readonly endpoint: Endpoint
}

/**
 * Finds a PostgreSQL that runs on the data directory, and waits until it accepts connections; `undefined` when none runs, or when it ends
 * meanwhile. Throws after the timeout.
 */
export async function findRunningPostmaster(
  dataDirectory: string,
  password: string,
  timeoutMs: number,
): Promise<RunningPostmaster | undefined> {
  const deadline = performance.now() + timeoutMs
  while (performance.now() < deadline) {
    const file = await readPostmasterFile(dataDirectory)
    if (file === undefined || !isProcessAlive(file.pid)) return undefined
    // After a crash the process id may belong to another program.
    if ((await hasWorkingDirectory(file.pid, dataDirectory)) === false) return undefined
    const endpoint = endpointOf(file)
    if (file.status === 'ready' && (await acceptsConnections(endpoint, password))) return { pid: file.pid, endpoint }
    if (file.status === 'stopping') await waitForEnd(file.pid, timeoutMs)
    else await delay(20)
  }
  throw new Error(
    `A PostgreSQL runs on ${dataDirectory} but accepts no connections. Stop it ("kill -INT $(head -1 ${dataDirectory}/postmaster.pid)") and start Millrace again.`,
  )
}

/** PostgreSQL's working directory is its data directory. `undefined` where the system does not report it (not Linux). */
async function hasWorkingDirectory(pid: number, dataDirectory: string): Promise<boolean | undefined> {
  if (process.platform !== 'linux') return undefined
  return (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === dataDirectory
}

async function acceptsConnections(endpoint: Endpoint, password: string): Promise<boolean> {
  const client = new DatabaseClient({ connectionString: urlOf(endpoint, 'postgres', password, 'postgres'), connectionTimeoutMillis: 2_000 })
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * Makes PostgreSQL treat the lock files of a crashed PostgreSQL as stale. By itself it only checks whether their process id exists, and that
 * id may belong to another program by now.
 *
 * PostgreSQL ignores a lock file with the id of its own parent (CreateLockFile in miscinit.c), so our id is written into it. The rest of
 * the file stays: by it PostgreSQL checks whether a process of the crashed one still uses the shared memory. The caller holds the instance lock.
 */
export async function disarmLockFiles(dataDirectory: string, socketDirectory: string): Promise<void> {
  const path = join(dataDirectory, 'postmaster.pid')
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text !== undefined) await writeFile(path, text.replace(/^-?\d+/, String(process.pid)))
  await Promise.all(['.s.PGSQL.5432', '.s.PGSQL.5432.lock'].map((name) => rm(join(socketDirectory, name), { force: true })))
}
