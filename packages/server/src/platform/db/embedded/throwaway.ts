import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBinaries } from './binaries.ts'
import { bootstrap } from './bootstrap.ts'
import { chooseEndpoint, endpointSettings, urlOf } from './endpoint.ts'
import { startGuard } from './guard.ts'
import { initialise } from './initialise.ts'
import { chooseLaunch } from './launch.ts'
import { findOsAccount } from './os-account.ts'
import { startPostmaster, stopPostmaster } from './postmaster.ts'

/** A PostgreSQL for tests and tools, which forgets everything when it stops. There is an empty database `millrace` in it. */
export interface ThrowawayPostgres {
  /** Connection string of one database in it, as the role `millrace`, which may create databases and roles and is no superuser. */
  url(database: string): string
  stop(): Promise<void>
}

// Nothing here has to outlive a crash, so nothing waits for the disk.
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '2GB',
  max_connections: '400',
  shared_buffers: '128MB',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  io_workers: '1',
  timezone: 'UTC',
  log_min_messages: 'fatal',
}

/** Makes and starts a PostgreSQL in a new directory under the system's temporary one. Takes about 0.7 s. Gone even when we are killed. */
export async function startThrowawayPostgres(): Promise<ThrowawayPostgres> {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-pg-'))
  const account = await findOsAccount()
  if (account !== undefined) await chown(directory, account.uid, account.gid)
  const { postgres, initdb } = await findBinaries()
  const dataDirectory = join(directory, 'data')
  const launch = await chooseLaunch(account, [postgres, directory])
  const password = 'throwaway'
  await initialise({ initdb, launch, dataDirectory, password, passwordFile: join(directory, 'password'), disposable: true })
  const endpoint = await chooseEndpoint(directory)
  const pid = await startPostmaster({
    postgres,
    launch,
    dataDirectory,
    settings: { ...settings, ...endpointSettings(endpoint) },
    logFile: join(directory, 'log'),
    startTimeoutMs: 30_000,
  })
  const callOff = startGuard({ pid, dataDirectory, graceSeconds: 0, remove: directory })
  await bootstrap(endpoint, password, 'millrace')
  return {
    url: (database) => urlOf(endpoint, 'millrace', password, database),
    async stop() {
      await stopPostmaster(pid, 10_000)
      callOff()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
