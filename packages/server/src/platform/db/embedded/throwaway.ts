import { chown, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBinaries } from './binaries.ts'
import { createRoleAndDatabase, initialiseCluster } from './cluster.ts'
import { chooseEndpoint, endpointSettings, urlOf } from './endpoint.ts'
import { startWatchdog } from './supervise.ts'
import { chooseLaunch, findOsAccount } from './launch.ts'
import { startPostmaster, stopPostmaster } from './postmaster.ts'

/** A PostgreSQL for tests and tools, deleted when it stops. It contains an empty database `millrace`. */
export interface ThrowawayPostgres {
  /** Connection string for one database, as the role `millrace`, which may create databases and roles and is not a superuser. */
  url(database: string): string
  stop(): Promise<void>
}

// No data has to survive a crash, so no write waits for the disk.
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
  // Each connection of a test derives a key from the password so many times.
  scram_iterations: '1',
  timezone: 'UTC',
  log_min_messages: 'fatal',
}

/** Linux' file system in memory. */
const memoryDirectory = '/dev/shm'
const memoryBytesMin = 2 * 1024 ** 3

/**
 * The directory in memory where there is one with room, because a database per test means 570 new files per test: copying the template takes
 * 30 ms there, and 30 to 500 ms on a disk.
 */
async function chooseParent(): Promise<string> {
  try {
    const { bavail, bsize } = await statfs(memoryDirectory)
    if (bavail * bsize >= memoryBytesMin) return memoryDirectory
  } catch {
    // This system has none.
  }
  return tmpdir()
}

/** Starts a PostgreSQL in a new directory, in memory if possible, in about 0.7 s. It is stopped and deleted even when this process is killed. */
export async function startThrowawayPostgres(): Promise<ThrowawayPostgres> {
  const directory = await mkdtemp(join(await chooseParent(), 'millrace-pg-'))
  const account = await findOsAccount()
  if (account !== undefined) await chown(directory, account.uid, account.gid)
  const { postgres, initdb } = await findBinaries()
  const dataDirectory = join(directory, 'data')
  const launch = await chooseLaunch(account, [postgres, directory])
  const password = 'throwaway'
  await initialiseCluster({ initdb, launch, dataDirectory, password, passwordFile: join(directory, 'password'), disposable: true })
  const endpoint = await chooseEndpoint(directory)
  const pid = await startPostmaster({
    postgres,
    launch,
    dataDirectory,
    settings: { ...settings, ...endpointSettings(endpoint) },
    logFile: join(directory, 'log'),
    startTimeoutMs: 30_000,
  })
  const endWatchdog = startWatchdog({ pid, dataDirectory, graceSeconds: 0, remove: directory })
  await createRoleAndDatabase(endpoint, password, 'millrace')
  return {
    url: (database) => urlOf(endpoint, 'millrace', password, database),
    async stop() {
      await stopPostmaster(pid, 10_000)
      endWatchdog()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
