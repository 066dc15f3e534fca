import { adopt } from './adopt.ts'
import { bootstrap } from './bootstrap.ts'
import { chooseEndpoint, urlOf } from './endpoint.ts'
import { startGuard } from './guard.ts'
import { prepareHome, preparePostgresDirectory } from './home.ts'
import { acquireInstanceLock, type InstanceLock } from './instance-lock.ts'
import { keep } from './keeper.ts'
import { findOsAccount } from './os-account.ts'
import { loadPassword } from './password.ts'
import { stopPostmaster } from './postmaster.ts'
import { startAnew } from './start-anew.ts'

export interface EmbeddedOptions {
  /** MILLRACE_HOME, absolute. */
  readonly home: string
  readonly randomBytes: (size: number) => Uint8Array
  /** How long PostgreSQL may take to start, recovery after a crash included. */
  readonly startTimeoutMs?: number
  /** How long it may live on after this process was killed, for a successor to take it over. */
  readonly graceSeconds?: number
  /** Told when it ended without being asked; it is started again. */
  readonly onError?: (error: Error) => void
}

/** The built-in PostgreSQL, running. */
export interface EmbeddedPostgres {
  readonly url: string
  readonly pid: number
  /** Whether a process that was killed had left it running, and we took it over. */
  readonly adopted: boolean
  /** Stops it, everything on the disk, and gives the directory free. */
  stop(): Promise<void>
}

const stopTimeoutMs = 20_000

/** Starts the built-in PostgreSQL under MILLRACE_HOME, or takes over the one that a killed process left behind. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  await prepareHome(options.home)
  const lock = await acquireInstanceLock(options.home)
  try {
    return await startLocked(options, lock)
  } catch (error) {
    await lock.release()
    throw error
  }
}

async function startLocked(options: EmbeddedOptions, lock: InstanceLock): Promise<EmbeddedPostgres> {
  const { startTimeoutMs = 60_000, graceSeconds = 30, onError = () => undefined } = options
  const account = await findOsAccount(options.home)
  const home = await preparePostgresDirectory(options.home, account)
  const password = await loadPassword(options.home, options.randomBytes)
  const left = await adopt(home, password, startTimeoutMs)
  const endpoint = left?.endpoint ?? (await chooseEndpoint(home.directory))
  const start = async () => await startAnew({ home, account, password, endpoint, startTimeoutMs })
  const pid = left?.pid ?? (await start())
  await bootstrap(endpoint, password, 'millrace')

  const owner = { file: lock.file, token: lock.token }
  const guard = (guarded: number) => startGuard({ pid: guarded, dataDirectory: home.dataDirectory, graceSeconds, owner })
  let callOff = guard(pid)
  const restart = async () => {
    const restarted = await start()
    callOff()
    callOff = guard(restarted)
    return restarted
  }
  const keeper = keep({ pid, restart, onError })
  return {
    url: urlOf(endpoint, 'millrace', password, 'millrace'),
    get pid() {
      return keeper.pid
    },
    adopted: left !== undefined,
    async stop() {
      await keeper.stop()
      await stopPostmaster(keeper.pid, stopTimeoutMs)
      callOff()
      await lock.release()
    },
  }
}
