import { spawn } from 'node:child_process'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBinaries } from './binaries.ts'
import { initialise } from './initialise.ts'
import { chooseLaunch } from './launch.ts'
import { findOsAccount } from './os-account.ts'
import { type Postmaster, startPostmaster } from './postmaster.ts'

/** A PostgreSQL for tests and tools, which forgets everything when it stops. */
export interface ThrowawayPostgres {
  /** Connection string of one database in it; the role is its superuser. */
  url(database: string): string
  stop(): Promise<void>
}

// Nothing here has to outlive a crash, so nothing waits for the disk.
const settings = {
  listen_addresses: '',
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '400',
  shared_buffers: '128MB',
  autovacuum_naptime: '10s',
  max_wal_size: '2GB',
}

/** Makes and starts a PostgreSQL in a new directory under the system's temporary one, reached by a unix socket. Takes about 0.7 s. */
export async function startThrowawayPostgres(): Promise<ThrowawayPostgres> {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-pg-'))
  const account = await findOsAccount()
  if (account !== undefined) await chown(directory, account.uid, account.gid)
  const { postgres, initdb } = await findBinaries()
  const dataDirectory = join(directory, 'data')
  const launch = await chooseLaunch(account, [postgres, directory])
  const password = 'throwaway'
  await initialise({ initdb, launch, dataDirectory, password, passwordFile: join(directory, 'password'), disposable: true })
  const postmaster = await startPostmaster({
    postgres,
    launch,
    dataDirectory,
    settings: { ...settings, unix_socket_directories: directory },
    startTimeoutMs: 30_000,
    onLog: () => undefined,
  })
  const release = watch(postmaster, directory)
  return {
    url: (database) => `postgresql://millrace:${password}@localhost:5432/${database}?host=${encodeURIComponent(directory)}`,
    async stop() {
      process.kill(postmaster.pid, 'SIGINT')
      await postmaster.ended
      release()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** A shell that outlives us by a moment: when our end of its pipe closes, even by SIGKILL, it stops PostgreSQL and removes the directory. */
function watch(postmaster: Postmaster, directory: string): () => void {
  const script = 'cat >/dev/null; kill -QUIT "$1" 2>/dev/null; sleep 1; case "$2" in */millrace-pg-*) rm -rf "$2";; esac'
  const shell = spawn('/bin/sh', ['-c', script, 'sh', String(postmaster.pid), directory], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  shell.on('error', () => undefined) // Without a shell only the clean-up after a crash is lost.
  shell.unref()
  return () => void shell.kill('SIGKILL')
}
