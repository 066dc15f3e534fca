import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url))
const startMs = 60_000
const logKept = 20_000
/** A shared compile cache outside of the user's home, warm for all starts. */
const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), 'millrace-test-compile-cache') }

export interface Ending {
  /** From SIGTERM to the end of the process. */
  readonly ms: number
  /** It did not end, and was killed. */
  readonly killed: boolean
}

/** `millrace start` in its own process, with the built-in PostgreSQL in a disposable folder. */
export interface AttackedServer {
  readonly url: string
  /** Its last output. */
  log(): string
  /** Whether the process is running. */
  isUp(): boolean
  /** Ends it by SIGTERM, and kills it after the deadline. */
  terminate(msMax: number): Promise<Ending>
  /** Starts it again over the same data. */
  start(): Promise<void>
  /** Kills it and PostgreSQL, and deletes the folder. */
  remove(): Promise<void>
}

export async function startAttackedServer(settings: Readonly<Record<string, string>>): Promise<AttackedServer> {
  const home = await mkdtemp(join(tmpdir(), 'millrace-neighbours-'))
  const path = { PATH: process.env['PATH'] ?? '', HOME: home, ...compileCache }
  const env = { ...path, MILLRACE_HOME: home, PORT: '0', MILLRACE_LOG_LEVEL: 'warn', ...settings }
  let child: ChildProcess | undefined
  let url = ''
  let log = ''
  const isUp = () => child !== undefined && child.exitCode === null && child.signalCode === null

  async function start(): Promise<void> {
    const started = spawn(process.execPath, [main, 'start'], { env, cwd: home, stdio: ['ignore', 'pipe', 'pipe'] })
    child = started
    let banner = ''
    const { promise: serving, resolve } = Promise.withResolvers<string>()
    const hear = (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-logKept)
      banner += banner.length < logKept ? chunk.toString() : ''
      const match = /API +(http:\/\/\S+)/.exec(banner)
      if (match !== null) resolve(match[1] ?? '')
    }
    started.stdout.on('data', hear)
    started.stderr.on('data', hear)
    const late = pause(startMs, '', { ref: false })
    const ended = once(started, 'exit').then(() => '')
    const base = await Promise.race([serving, late, ended])
    if (base === '') throw new Error(`the server did not start:\n${log}`)
    url = `${base.replace(/\/api\/v1\/?$/, '')}/api/v1`
  }

  async function terminate(msMax: number): Promise<Ending> {
    const ending = child
    if (ending === undefined || !isUp()) return { ms: 0, killed: false }
    const exited = once(ending, 'exit').then(() => true)
    const startedAt = performance.now()
    ending.kill('SIGTERM')
    const inTime = await Promise.race([exited, pause(msMax, false)])
    if (!inTime) ending.kill('SIGKILL')
    await exited
    return { ms: performance.now() - startedAt, killed: !inTime }
  }

  await start()
  return {
    get url() {
      return url
    },
    log: () => log,
    isUp,
    terminate,
    start,
    async remove() {
      const killed = child?.signalCode === 'SIGKILL' || (isUp() && (await terminate(1_000)).killed)
      if (killed) await stopPostgres(join(home, 'postgres', 'data'))
      await rm(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** A killed server leaves its PostgreSQL running for a successor, for half a minute. Here there is no successor. */
async function stopPostgres(dataDirectory: string): Promise<void> {
  const file = join(dataDirectory, 'postmaster.pid')
  const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0])
  if (!(pid > 1)) return
  try {
    process.kill(pid, 'SIGQUIT')
  } catch {
    return
  }
  for (let tries = 0; tries < 100 && (await readFile(file).catch(() => undefined)) !== undefined; tries++) await pause(50)
}
