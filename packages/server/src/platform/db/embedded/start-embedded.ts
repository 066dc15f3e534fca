import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { findBinaries } from './binaries.ts'
import { bootstrap } from './bootstrap.ts'
import { prepareDataDirectory } from './data-directory.ts'
import { chooseEndpoint, type Endpoint, endpointOf, endpointSettings, urlOf } from './endpoint.ts'
import { startGuard } from './guard.ts'
import { type Home, prepareHome, preparePostgresDirectory } from './home.ts'
import { acquireInstanceLock, type InstanceLock } from './instance-lock.ts'
import { chooseLaunch } from './launch.ts'
import { findOsAccount } from './os-account.ts'
import { loadPassword } from './password.ts'
import { startPostmaster, stopPostmaster, waitForEnd } from './postmaster.ts'
import { disarmLockFiles, isAlive, readPostmasterFile, standsIn } from './postmaster-file.ts'
import { productionSettings } from './settings.ts'

export interface EmbeddedOptions {
  /** MILLRACE_HOME, absolute. */
  readonly home: string
  readonly randomBytes: (size: number) => Uint8Array
  /** How long PostgreSQL may take to start, recovery after a crash included. */
  readonly startTimeoutMs?: number
  /** How long it may live on after this process was killed, for a successor to take it over. */
  readonly graceSeconds?: number
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
  const startTimeoutMs = options.startTimeoutMs ?? 60_000
  const account = await findOsAccount(options.home)
  const home = await preparePostgresDirectory(options.home, account)
  const password = await loadPassword(options.home, options.randomBytes)
  const left = await adopt(home, password, startTimeoutMs)
  const { pid, endpoint } = left ?? (await startAnew(home, account, password, startTimeoutMs))
  await bootstrap(endpoint, password, 'millrace')
  const { file, token } = lock
  const callOff = startGuard({ pid, dataDirectory: home.dataDirectory, graceSeconds: options.graceSeconds ?? 30, owner: { file, token } })
  return {
    url: urlOf(endpoint, 'millrace', password, 'millrace'),
    pid,
    adopted: left !== undefined,
    async stop() {
      await stopPostmaster(pid, stopTimeoutMs)
      callOff()
      await lock.release()
    },
  }
}

interface Running {
  readonly pid: number
  readonly endpoint: Endpoint
}

async function startAnew(
  home: Home,
  account: Awaited<ReturnType<typeof findOsAccount>>,
  password: string,
  startTimeoutMs: number,
): Promise<Running> {
  const { dataDirectory, logFile } = home
  const binaries = await findBinaries()
  const launch = await chooseLaunch(account, [binaries.postgres, home.directory])
  await prepareDataDirectory({ dataDirectory, binaries, launch, password })
  const endpoint = await chooseEndpoint(home.directory)
  const settings = { ...productionSettings(), ...endpointSettings(endpoint) }
  await disarmLockFiles(dataDirectory, home.directory)
  const start = async () => await startPostmaster({ postgres: binaries.postgres, launch, dataDirectory, settings, logFile, startTimeoutMs })
  return { pid: await retryWhileMemoryInUse(start), endpoint }
}

/** When PostgreSQL itself was killed, its children need a moment to notice and end; until then it rightly refuses to start. */
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

/** Finds a PostgreSQL that still runs on the directory, and waits until it takes connections or has ended. */
async function adopt(home: Home, password: string, timeoutMs: number): Promise<Running | undefined> {
  const deadline = performance.now() + timeoutMs
  while (performance.now() < deadline) {
    const file = await readPostmasterFile(home.dataDirectory)
    if (file === undefined || !isAlive(file.pid)) return undefined
    // After a crash the number may have been given to another process.
    if ((await standsIn(file.pid, home.dataDirectory)) === false) return undefined
    const endpoint = endpointOf(file)
    if (file.status === 'ready' && (await accepts(endpoint, password))) return { pid: file.pid, endpoint }
    if (file.status === 'stopping') await waitForEnd(file.pid, timeoutMs)
    else await delay(20)
  }
  throw new Error(
    `A PostgreSQL runs on ${home.dataDirectory} but takes no connections. Stop it ("kill -INT $(head -1 ${home.dataDirectory}/postmaster.pid)") and start again.`,
  )
}

async function accepts(endpoint: Endpoint, password: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: urlOf(endpoint, 'postgres', password, 'postgres'), connectionTimeoutMillis: 2_000 })
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
