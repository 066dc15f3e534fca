import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findBinaries } from './binaries.ts'
import {
  type ClusterPaths,
  createRoleAndDatabase,
  loadPassword,
  prepareClusterDirectory,
  prepareDataDirectory,
  prepareHome,
} from './cluster.ts'
import { chooseEndpoint, type Endpoint, endpointSettings, urlOf } from './endpoint.ts'
import { acquireInstanceLock, type InstanceLock } from './instance-lock.ts'
import { chooseLaunch, findOsAccount, type OsAccount } from './launch.ts'
import { disarmLockFiles, findRunningPostmaster, startPostmaster, stopPostmaster } from './postmaster.ts'
import { productionSettings } from './settings.ts'
import { startWatchdog, supervise } from './supervise.ts'

export interface EmbeddedOptions {
  /** MILLRACE_HOME, absolute. */
  readonly home: string
  readonly randomBytes: (size: number) => Uint8Array
  /** How long PostgreSQL may take to start, recovery after a crash included. */
  readonly startTimeoutMs?: number
  /** How long PostgreSQL runs on after this process was killed, so that a successor can adopt it. */
  readonly graceSeconds?: number
  /** Called when PostgreSQL ended unexpectedly; it is restarted. */
  readonly onError?: (error: Error) => void
}

/** The built-in PostgreSQL, running. */
export interface EmbeddedPostgres {
  readonly url: string
  readonly pid: number
  /** Whether a process that was killed had left it running, and this process adopted it. */
  readonly adopted: boolean
  /** Stops it, with everything on disk, and unlocks the directory. */
  stop(): Promise<void>
}

const stopTimeoutMs = 20_000

/** Starts the built-in PostgreSQL under MILLRACE_HOME, or adopts the one that a killed process left running. */
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
  const paths = await prepareClusterDirectory(options.home, account)
  const password = await loadPassword(options.home, paths, options.randomBytes)
  const running = await findRunningPostmaster(paths.dataDirectory, password, startTimeoutMs)
  const endpoint = running?.endpoint ?? (await chooseEndpoint(paths.directory))
  const start = async () => await startCluster({ paths, account, password, endpoint, startTimeoutMs })
  const pid = running?.pid ?? (await start())
  try {
    await createRoleAndDatabase(endpoint, password, 'millrace')
  } catch (error) {
    // One that a killed process left has a watchdog, which stops it.
    if (running === undefined) await stopPostmaster(pid, stopTimeoutMs)
    throw error
  }
  const owner = { file: lock.file, token: lock.token }
  const watch = (watched: number) => startWatchdog({ pid: watched, dataDirectory: paths.dataDirectory, graceSeconds, owner })
  let endWatchdog = watch(pid)
  const restart = async () => {
    const restarted = await start()
    endWatchdog()
    endWatchdog = watch(restarted)
    return restarted
  }
  const supervisor = supervise({ pid, restart, onError })
  return {
    url: urlOf(endpoint, 'millrace', password, 'millrace'),
    get pid() {
      return supervisor.pid
    },
    adopted: running !== undefined,
    async stop() {
      await supervisor.stop()
      await stopPostmaster(supervisor.pid, stopTimeoutMs)
      endWatchdog()
      await lock.release()
    },
  }
}

/** The connection string of the built-in PostgreSQL that a server runs under MILLRACE_HOME; undefined when none runs. Takes no lock. */
export async function findEmbeddedUrl(home: string): Promise<string | undefined> {
  const password = (await readFile(join(home, 'postgres-password'), 'utf8').catch(() => '')).trim()
  if (password === '') return undefined
  const running = await findRunningPostmaster(join(home, 'postgres', 'data'), password, findTimeoutMs)
  return running === undefined ? undefined : urlOf(running.endpoint, 'millrace', password, 'millrace')
}

const findTimeoutMs = 10_000

interface StartOptions {
  readonly paths: ClusterPaths
  readonly account: OsAccount | undefined
  readonly password: string
  readonly endpoint: Endpoint
  readonly startTimeoutMs: number
}

/** Starts PostgreSQL on the data directory, which it creates if it is missing; resolves to the process id. No other may run on it. */
async function startCluster({ paths, account, password, endpoint, startTimeoutMs }: StartOptions): Promise<number> {
  const { directory, dataDirectory, logFile } = paths
  const binaries = await findBinaries()
  const launch = await chooseLaunch(account, [binaries.postgres, directory])
  await prepareDataDirectory({ dataDirectory, binaries, launch, password })
  const settings = { ...productionSettings(), ...endpointSettings(endpoint) }
  await disarmLockFiles(dataDirectory, directory)
  const start = async () => await startPostmaster({ postgres: binaries.postgres, launch, dataDirectory, settings, logFile, startTimeoutMs })
  return await retryWhileMemoryInUse(start)
}

/** The children of a PostgreSQL that was killed need a moment to notice and end; until then PostgreSQL refuses to start. */
async function retryWhileMemoryInUse(start: () => Promise<number>): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    try {
      return await start()
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('shared memory block'))) throw error
    }
    await delay(200)
  }
  return await start()
}
