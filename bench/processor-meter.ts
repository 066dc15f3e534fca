import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

/** What a server and its PostgreSQL have used, for `work` and all that they still do because of it afterwards. */
export interface ProcessorUse {
  readonly serverMs: number
  readonly databaseMs: number
  readonly walBytes: number
}

export interface ProcessorMeter {
  during(work: () => Promise<void>): Promise<ProcessorUse>
  close(): Promise<void>
}

interface Sample {
  readonly server: number
  readonly database: number
}

/** Clock ticks of Linux in a second are 100 on every architecture that Node runs on. */
const tickMs = 10
/** Background work has ended when both together take at most so much more of a processor than before all work, twice in a row. */
const idleExcess = 0.04
const idleMs = 3_000
const intervalMs = 500
const settleMsMax = 60_000

/** Reads the processor times of Linux. The server must be idle, so that its share of a processor without work is known. @param serverPid its process. */
export async function openProcessorMeter(serverPid: number, databaseUrl: string): Promise<ProcessorMeter> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  const postmaster = (await statOf(rows[0]?.pid ?? 0))?.parent ?? 0

  async function sample(): Promise<Sample> {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
    const stats = await Promise.all(pids.map(statOf))
    const server = stats.find((stat) => stat?.pid === serverPid)
    const main = stats.find((stat) => stat?.pid === postmaster)
    const backends = stats.filter((stat) => stat?.parent === postmaster)
    return {
      server: (server?.own ?? 0) * tickMs,
      // Backends that have ended count as time of the children of their parent.
      database: ((main?.own ?? 0) + (main?.ended ?? 0) + backends.reduce((sum, stat) => sum + (stat?.own ?? 0), 0)) * tickMs,
    }
  }

  async function walBytes(): Promise<number> {
    const wal = await pool.query<{ bytes: string }>(`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes`)
    return Number(wal.rows[0]?.bytes)
  }

  /** @returns the times once the background work has ended. */
  const begun = await sample()
  await pause(idleMs)
  const idle = await sample()
  const idleShare = (idle.server + idle.database - begun.server - begun.database) / idleMs

  async function settled(): Promise<Sample> {
    let last = await sample()
    let quiet = 0
    for (const endsAt = performance.now() + settleMsMax; quiet < 2 && performance.now() < endsAt; ) {
      await pause(intervalMs)
      const now = await sample()
      const busy = now.server + now.database - last.server - last.database
      quiet = busy < intervalMs * (idleShare + idleExcess) ? quiet + 1 : 0
      last = now
    }
    return last
  }

  return {
    async during(work) {
      const before = await settled()
      const walBefore = await walBytes()
      await work()
      const after = await settled()
      return {
        serverMs: after.server - before.server,
        databaseMs: after.database - before.database,
        walBytes: (await walBytes()) - walBefore,
      }
    },
    close: () => pool.end(),
  }
}

async function statOf(pid: number) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  // The name of the program is in parentheses and may contain spaces.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [fields[1], ...fields.slice(11, 15)]
  return { pid, parent, own: user + system, ended: endedUser + endedSystem }
}
