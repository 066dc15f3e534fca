import { type ChildProcess, spawn } from 'node:child_process'
import { type Launch, programEnvironment } from './launch.ts'

export interface PostmasterOptions {
  readonly postgres: string
  readonly launch: Launch
  readonly dataDirectory: string
  /** Settings for the command line, which stand above postgresql.conf. */
  readonly settings: Readonly<Record<string, string>>
  readonly startTimeoutMs: number
  /** Each line that PostgreSQL writes to its log. */
  readonly onLog: (line: string) => void
}

/** A PostgreSQL server process that we have started. */
export interface Postmaster {
  readonly pid: number
  /** Resolves when the process has ended, whoever ended it. */
  readonly ended: Promise<void>
}

/**
 * Starts PostgreSQL on a data directory and resolves once it takes connections. Rejects with its own words when it does not.
 *
 * It stands in a session of its own, so that Ctrl-C in a terminal reaches us alone and we can finish what is under way before we stop it.
 */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const settings = Object.entries(options.settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const [command, args] = options.launch.command(options.postgres, ['-D', options.dataDirectory, ...settings])
  const child = spawn(command, args, {
    ...options.launch.account,
    cwd: '/',
    detached: true,
    env: programEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await ready(child, options)
  if (child.pid === undefined) throw new Error('PostgreSQL started without a process id')
  return { pid: child.pid, ended }
}

async function ready(child: ChildProcess, options: PostmasterOptions): Promise<void> {
  const { stderr } = child
  if (stderr === null) throw new Error('PostgreSQL started without a log')
  const recent: string[] = []
  let rest = ''
  await new Promise<void>((resolve, reject) => {
    const fail = (reason: string, cause?: unknown) =>
      reject(new Error(`The built-in PostgreSQL ${reason}.\n${recent.join('\n')}`.trimEnd(), { cause }))
    const timer = setTimeout(() => {
      child.kill('SIGQUIT')
      fail(`did not start within ${options.startTimeoutMs / 1000} s`)
    }, options.startTimeoutMs)
    const settle = () => clearTimeout(timer)
    child.once('error', (error) => {
      settle()
      fail('could not be started', error)
    })
    child.once('exit', (code, signal) => {
      settle()
      fail(`ended while starting (${signal ?? `code ${code}`})`)
    })
    stderr.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        options.onLog(line)
        recent.push(line)
        if (recent.length > 20) recent.shift()
        if (!line.includes('database system is ready to accept connections')) continue
        settle()
        resolve()
      }
    })
  })
}
