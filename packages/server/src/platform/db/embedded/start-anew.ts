import { setTimeout as delay } from 'node:timers/promises'
import { findBinaries } from './binaries.ts'
import { prepareDataDirectory } from './data-directory.ts'
import { type Endpoint, endpointSettings } from './endpoint.ts'
import type { Home } from './home.ts'
import { chooseLaunch } from './launch.ts'
import type { OsAccount } from './os-account.ts'
import { startPostmaster } from './postmaster.ts'
import { disarmLockFiles } from './postmaster-file.ts'
import { productionSettings } from './settings.ts'

export interface StartOptions {
  readonly home: Home
  readonly account: OsAccount | undefined
  readonly password: string
  readonly endpoint: Endpoint
  readonly startTimeoutMs: number
}

/** Starts PostgreSQL on the data directory, which is made where there is none, and gives its process id. No other may run on it. */
export async function startAnew(options: StartOptions): Promise<number> {
  const { home, account, password, endpoint, startTimeoutMs } = options
  const { dataDirectory, logFile } = home
  const binaries = await findBinaries()
  const launch = await chooseLaunch(account, [binaries.postgres, home.directory])
  await prepareDataDirectory({ dataDirectory, binaries, launch, password })
  const settings = { ...productionSettings(), ...endpointSettings(endpoint) }
  await disarmLockFiles(dataDirectory, home.directory)
  const start = async () => await startPostmaster({ postgres: binaries.postgres, launch, dataDirectory, settings, logFile, startTimeoutMs })
  return await retryWhileMemoryInUse(start)
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
