import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

export interface DatabaseUse {
  /** Committed transactions, including read-only ones. */
  readonly commits: number
  readonly walBytes: number
}

export interface DatabaseMeter {
  /** The activity of the whole PostgreSQL during `work`, so nothing else may run at the same time. */
  during(work: () => Promise<void>): Promise<DatabaseUse>
  close(): Promise<void>
}

/** A backend that becomes idle reports its counts ten seconds later (PGSTAT_IDLE_INTERVAL of PostgreSQL). */
const SETTLE_MS = 10_500

export function openDatabaseMeter(url: string): DatabaseMeter {
  const pool = new pg.Pool({ connectionString: url, max: 1 })

  let last: DatabaseUse | undefined

  async function read(): Promise<DatabaseUse> {
    await pause(SETTLE_MS)
    const { rows } = await pool.query<{ commits: string; bytes: string }>(
      `select sum(xact_commit) as commits, pg_current_wal_lsn() - '0/0'::pg_lsn as bytes from pg_stat_database`,
    )
    return { commits: Number(rows[0]?.commits), walBytes: Number(rows[0]?.bytes) }
  }

  return {
    async during(work) {
      const before = last ?? (await read())
      await work()
      const after = await read()
      last = after
      return { commits: after.commits - before.commits, walBytes: after.walBytes - before.walBytes }
    },
    close: () => pool.end(),
  }
}
