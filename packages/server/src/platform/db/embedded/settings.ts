import { totalmem } from 'node:os'

const mebibyte = 1024 * 1024

/** Settings of the built-in PostgreSQL in production, for a machine that it shares with Millrace. `memoryBytes` is the memory of the machine. */
export function productionSettings(memoryBytes: number = availableMemory()): Readonly<Record<string, string>> {
  const buffers = clamp(memoryBytes / 16 / mebibyte, 64, 1024)
  return {
    // Commits wait for the disk. These are PostgreSQL's defaults, stated here because every guarantee of Millrace depends on them.
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    shared_buffers: `${buffers}MB`,
    effective_cache_size: `${clamp(memoryBytes / 4 / mebibyte, 128, 8192)}MB`,
    max_connections: '100',
    // Fewer checkpoints: after each one, the first change of every page writes the whole page into the write-ahead log.
    max_wal_size: '2GB',
    min_wal_size: '128MB',
    checkpoint_timeout: '15min',
    // This build has only pglz, which costs more processor time than the saved disk is worth.
    wal_compression: 'off',
    wal_buffers: '16MB',
    random_page_cost: '1.1',
    // On two cores, parallel workers and just-in-time compilation cost more than they gain.
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    io_workers: '1',
    autovacuum_vacuum_scale_factor: '0.05',
    autovacuum_analyze_scale_factor: '0.05',
    password_encryption: 'scram-sha-256',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    log_line_prefix: '%m [%p] ',
    log_timezone: 'UTC',
    timezone: 'UTC',
    // After a crash PostgreSQL syncs every file of the data directory; one call for the whole file system is much faster.
    ...(process.platform === 'linux' ? { recovery_init_sync_method: 'syncfs' } : {}),
  }
}

/** The memory of the machine, or the limit of the container. */
function availableMemory(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

function clamp(value: number, min: number, max: number): number {
  return Math.round(Math.min(max, Math.max(min, value)))
}
