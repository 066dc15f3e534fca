import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { compileCache } from './compile-cache.ts'

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

/** A server in a process of its own, as an installation starts it. */
export interface ServerProcess extends AsyncDisposable {
  readonly url: string
  /** The code or the signal that it ended with; undefined while it runs. */
  readonly ended: number | NodeJS.Signals | undefined
  /** Everything that it has written. */
  readonly log: string
  /** Sends a signal. Resolves with the code or the signal that it ends with. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>
  /** Dies at once, without a chance to put anything in order. */
  kill(): Promise<void>
}

/** The URL of a database with an application name for the sessions of a process. */
export function named(databaseUrl: string, name: string): string {
  const url = new URL(databaseUrl)
  url.searchParams.set('application_name', name)
  return url.toString()
}

/** Resolves when it serves. */
export async function startServerProcess(environment: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const settings = { PORT: '0', MILLRACE_SECRET_KEY: 'ab'.repeat(32), MILLRACE_PRIVATE_NETWORK: '127.0.0.0/8', ...environment }
  const child: ChildProcess = spawn(process.execPath, [main], {
    env: { ...compileCache(), ...settings },
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let ended: number | NodeJS.Signals | undefined
  const exited = once(child, 'exit').then(([code, signal]: unknown[]) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- One of them is there.
    ended = (code ?? signal) as number | NodeJS.Signals
    return ended
  })
  const { promise: serving, resolve } = Promise.withResolvers<void>()
  const hear = (text: Buffer) => {
    out += text.toString()
    if (out.includes('"msg":"serving"')) resolve()
  }
  child.stdout?.on('data', hear)
  child.stderr?.on('data', hear)
  const kill = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await exited
  }
  await Promise.race([serving, exited.then(() => Promise.reject(new Error(`the server did not start: ${out}`)))])
  return {
    url: /"url":"([^"]+)"/.exec(out)?.[1] ?? '',
    get ended() {
      return ended
    },
    get log() {
      return out
    },
    end(signal) {
      child.kill(signal)
      return exited
    },
    kill,
    [Symbol.asyncDispose]: kill,
  }
}
