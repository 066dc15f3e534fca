import { spawn } from 'node:child_process'
import { open, readFile, stat, truncate } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { type Launch, programEnvironment } from './launch.ts'
import { isAlive, readPostmasterFile } from './postmaster-file.ts'

export interface PostmasterOptions {
  readonly postgres: string
  readonly launch: Launch
  readonly dataDirectory: string
  /** Settings for the command line, which stand above postgresql.conf. */
  readonly settings: Readonly<Record<string, string>>
  /** Where PostgreSQL writes its log. A file, so that it can go on writing when we are gone. */
  readonly logFile: string
  readonly startTimeoutMs: number
}

const logBytesMax = 5_000_000
const pollMs = 10

/**
 * Starts PostgreSQL on a data directory and resolves to its process id once it takes connections. Rejects with its own words when it does not.
 *
 * It stands in a session of its own, so that Ctrl-C in a terminal reaches us alone and we can finish what is under way before we stop it.
 */
export async function startPostmaster(options: PostmasterOptions): Promise<number> {
  const settings = Object.entries(options.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const [command, args] = options.launch.command(options.postgres, ['-D', options.dataDirectory, ...settings])
  await shortenLog(options.logFile)
  const log = await open(options.logFile, 'a', 0o600)
  const logStart = (await log.stat()).size
  const child = spawn(command, args, {
    ...options.launch.account,
    cwd: '/',
    detached: true,
    env: programEnvironment(),
    stdio: ['ignore', log.fd, log.fd],
  })
  let ending: string | undefined
  child.once('error', (error) => (ending = error.message))
  child.once('exit', (code, signal) => (ending = signal ?? `code ${code}`))
  child.unref()
  const deadline = performance.now() + options.startTimeoutMs
  try {
    while (performance.now() < deadline) {
      if (ending !== undefined) throw await failure(`ended while starting (${ending})`, options.logFile, logStart)
      const file = await readPostmasterFile(options.dataDirectory)
      if (file?.status === 'ready' && file.pid === child.pid) return file.pid
      await delay(pollMs)
    }
    child.kill('SIGQUIT')
    throw await failure(`did not start within ${options.startTimeoutMs / 1000} s`, options.logFile, logStart)
  } finally {
    await log.close()
  }
}

/** Stops a PostgreSQL, ours or an adopted one: connections are cut and everything is written to disk. Resolves when it is gone. */
export async function stopPostmaster(pid: number, timeoutMs: number): Promise<void> {
  send(pid, 'SIGINT')
  if (await waitForEnd(pid, timeoutMs)) return
  // Without the checkpoint; the next start recovers from the write-ahead log and nothing is lost.
  send(pid, 'SIGQUIT')
  if (!(await waitForEnd(pid, timeoutMs))) throw new Error(`PostgreSQL (process ${pid}) did not stop within ${(2 * timeoutMs) / 1000} s`)
}

/** Whether the process ended in time. */
export async function waitForEnd(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (isAlive(pid)) {
    if (performance.now() > deadline) return false
    await delay(pollMs)
  }
  return true
}

function send(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

async function failure(what: string, logFile: string, from: number): Promise<Error> {
  const log = (await readFile(logFile)).subarray(from).toString('utf8').trim().split('\n').slice(-12).join('\n')
  return new Error(`The built-in PostgreSQL ${what}. Its log, ${logFile}, says:\n${log}`)
}

async function shortenLog(path: string): Promise<void> {
  const size = await stat(path).then(
    (stats) => stats.size,
    () => 0,
  )
  if (size > logBytesMax) await truncate(path)
}
