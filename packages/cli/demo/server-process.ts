import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const startTimeoutMs = 120_000
const stopTimeoutMs = 15_000
const logLinesKept = 40

export interface ServerProcessOptions {
  /** MILLRACE_HOME. */
  readonly home: string
  /** 0 takes a free one. */
  readonly port: number
}

/** A Millrace server in a process of its own. */
export interface ServerProcess {
  readonly url: string
  readonly pid: number
  /** The last output. */
  readonly log: () => string
  /** Kills it with SIGKILL. */
  kill(): Promise<void>
  /** Asks it to stop, and makes it when it does not. */
  stop(): Promise<void>
}

/** Starts a server and resolves when it says that it runs. */
export async function startServerProcess({ home, port }: ServerProcessOptions): Promise<ServerProcess> {
  const child = spawn(process.execPath, [main, 'start', '--port', String(port), '--home', home], {
    env: environment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const lines: string[] = []
  const url = await serving(child, lines)
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal)
    await ended
  }
  return {
    url,
    pid: child.pid ?? 0,
    log: () => lines.join('\n'),
    kill: () => end('SIGKILL'),
    async stop() {
      const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs)
      await end('SIGTERM')
      clearTimeout(timer)
    },
  }
}

/** The demo asks more often than people do, and its shop is on this machine; the database is always one of its own. */
function environment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    MILLRACE_PRIVATE_NETWORK: '127.0.0.0/8',
    MILLRACE_RATE_LIMIT_GLOBAL: '100000/60',
    MILLRACE_RATE_LIMIT_AUTH: '1000/60',
    MILLRACE_RATE_LIMIT_EXECUTION: '1000/60',
    MILLRACE_LOG_LEVEL: 'warn',
  }
}

function serving(child: ChildProcess, lines: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (what: string): void => {
      clearTimeout(timer)
      child.kill('SIGKILL')
      reject(new Error(`The server ${what}.\n${lines.join('\n')}`))
    }
    const timer = setTimeout(() => fail(`was not ready within ${startTimeoutMs / 1000} s`), startTimeoutMs)
    child.once('error', (error) => fail(`could not be started: ${error.message}`))
    const endedEarly = (code: number | null, signal: NodeJS.Signals | null): void =>
      fail(`ended while starting (${signal ?? `code ${code}`})`)
    child.once('exit', endedEarly)
    let rest = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n')
      rest = parts.pop() ?? ''
      lines.push(...parts)
      lines.splice(0, Math.max(0, lines.length - logLinesKept))
      const [, url] = parts.map((line) => /^\s+API\s+(http\S+)/.exec(line)).find((match) => match !== null) ?? []
      if (url === undefined) return
      clearTimeout(timer)
      child.off('exit', endedEarly)
      resolve(url)
    })
  })
}
