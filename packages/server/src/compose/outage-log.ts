import { sql } from 'kysely'
import type { Database } from '#platform/db/database.ts'
import { faultOf, isOutOfSpace } from '#platform/http/response/problem.ts'
import type { Logger } from './logger.ts'

export interface OutageLog {
  /** Logs like the given logger, but lines about an unreachable database only at its beginning and its end. */
  readonly logger: Logger
  /** Begins to recognise outages. `ping` rejects while the database cannot do what failed with `error`. */
  watch(ping: Ping): void
  /** Whether an outage began and has not ended. */
  isOut(): boolean
  /** Ends the recognition; every line is logged from now on. */
  stop(): void
}

export type Ping = (error: unknown) => Promise<unknown>

interface State {
  ping: Ping | undefined
  since: number | undefined
  suppressed: number
  checking: (() => void)[] | undefined
  timer: NodeJS.Timeout | undefined
}

const pingMs = 1_000
/** Lines that wait for the check whether the database is away. */
const waitingMax = 1_000

/**
 * Every part that uses the database meets an outage by itself. Their warnings are lines of debugging then, and the operator gets one line when the
 * outage begins and one when it ends. A check of the database distinguishes an outage from an unreachable mail server.
 */
export function createOutageLog(target: Logger, now: () => number): OutageLog {
  const state: State = { ping: undefined, since: undefined, suppressed: 0, checking: undefined, timer: undefined }

  async function check(ping: Ping, error: unknown): Promise<void> {
    const isAway = await ping(error).then(
      () => false,
      () => true,
    )
    const lines = state.checking ?? []
    state.checking = undefined
    if (!isAway || state.ping === undefined) return lines.forEach((write) => write())
    Object.assign(state, { since: now(), suppressed: lines.length })
    target.error({ err: error }, 'database unavailable')
    state.timer = setInterval(() => void recover(() => ping(error)), pingMs).unref()
  }

  async function recover(ping: () => Promise<unknown>): Promise<void> {
    await ping().then(
      () => {
        if (state.since === undefined) return
        const { suppressed } = state
        target.info({ seconds: Math.round((now() - state.since) / 1000), suppressed }, 'database available again')
        clearInterval(state.timer)
        Object.assign(state, { since: undefined, suppressed: 0 })
      },
      () => undefined,
    )
  }

  const through = (level: 'warn' | 'error'): Logger['warn'] => {
    const write = (...line: Parameters<Logger['warn']>) => target[level](...line)
    return (...line: Parameters<Logger['warn']>): void => {
      const error = errorIn(line[0])
      if (state.ping === undefined || error === undefined || faultOf(error).code !== 'database_unavailable') return write(...line)
      if (state.since !== undefined) {
        state.suppressed += 1
        return target.debug(...line)
      }
      if (state.checking === undefined) {
        state.checking = []
        void check(state.ping, error)
      }
      if (state.checking.length < waitingMax) state.checking.push(() => write(...line))
    }
  }

  return {
    logger: Object.assign(Object.create(target), { warn: through('warn'), error: through('error') }),
    watch: (ping) => (state.ping = ping),
    isOut: () => state.since !== undefined,
    stop() {
      clearInterval(state.timer)
      Object.assign(state, { ping: undefined, since: undefined })
    },
  }
}

/** Asks the database of the installation for an answer, and after an error for lack of space for a little space. */
export function pingOf({ system }: Pick<Database, 'system'>): Ping {
  return (error) => (isOutOfSpace(error) ? takeSpace(system) : sql`select`.execute(system))
}

/** Makes a temporary table of some pages, which fails while the disk is full. Its transaction is rolled back. */
function takeSpace(db: Database['system']): Promise<unknown> {
  const rolledBack = new Error('rolled back')
  return db
    .transaction()
    .execute(async (tx) => {
      await sql`create temporary table millrace_space on commit drop as select repeat(md5(n::text), 200) from generate_series(1, 100) n`.execute(
        tx,
      )
      throw rolledBack
    })
    .catch((error: unknown) => {
      if (error !== rolledBack) throw error
    })
}

function errorIn(details: unknown): unknown {
  return typeof details === 'object' && details !== null && 'err' in details ? details.err : undefined
}
