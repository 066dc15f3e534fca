import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Faults } from './faults.ts'
import type { Random } from './random.ts'
import type { Starter } from './starter.ts'
import type { WorkerPool } from './worker-pool.ts'

export interface DriveDeps {
  readonly executions: number
  readonly kills: number
  readonly concurrency: number
  readonly starter: Starter
  readonly workers: WorkerPool
  /** A direct connection to the database, without the proxy. */
  readonly pool: Pool
  readonly faults: Faults
  readonly random: Random
  readonly say: (what: string) => void
}

const LOOK_MS = 200
/** Starts are spread over this time after a kill, so that executions are running whenever a process dies. */
const SPREAD_MS = 2_000
const SAY_MS = 10_000
/** Time in which all executions must end after the last start and the last fault. */
const SETTLE_MS_MAX = 180_000

interface RunProgress {
  readonly active: number
  readonly claimed: number
}

/** Starts executions while faults happen, replays dead letters, and waits until all executions have ended or the time is over. */
export async function drive(deps: DriveDeps): Promise<void> {
  const { starter, workers, pool, say } = deps
  const replayed = new Set<string>()
  let faulting = true
  void deps.faults.done.then(() => (faulting = false))
  let saidAtMs = 0
  for (let settlingSinceMs: number | undefined; ; await pause(LOOK_MS)) {
    const progress = await readProgress(pool).catch(() => undefined)
    const letters = progress === undefined ? 0 : await retryDeadLetters(deps, replayed).catch(() => 1)
    if (Date.now() - saidAtMs > SAY_MS) {
      saidAtMs = Date.now()
      say(
        `${starter.starts.length} started, ${progress?.active ?? '?'} active, ${workers.kills.length} kills, ${replayed.size} dead letters`,
      )
    }
    if (progress !== undefined) startMore(deps, progress, faulting)
    if (faulting || starter.more()) continue
    settlingSinceMs ??= Date.now()
    const settled = progress !== undefined && progress.active + progress.claimed + letters + starter.pending() === 0
    if (settled || Date.now() - settlingSinceMs > SETTLE_MS_MAX) break
  }
  await deps.faults.done
}

/** Starts a few executions, within the limit of concurrent ones and in proportion to the faults so far. */
function startMore(
  { starter, workers, random, executions, kills, concurrency }: DriveDeps,
  { active }: RunProgress,
  faulting: boolean,
): void {
  const share = faulting ? Math.min(1, (workers.kills.length + 2) / kills) : 1
  const allowed = Math.ceil(share * executions) - starter.starts.length
  const atOnce = Math.ceil((executions / kills) * (LOOK_MS / SPREAD_MS))
  const room = Math.min(concurrency - active - starter.pending(), allowed, atOnce)
  const again = starter.lostCount()
  for (let left = Math.max(room, again); left > 0 && starter.more(); left--) {
    const [first, ...others] = workers.ready()
    if (first === undefined) return
    starter.startNext(random.pick([first, ...others]))
  }
}

/** Replays new dead letters. @returns the number of dead letters without a retry */
async function retryDeadLetters({ pool, workers }: DriveDeps, replayed: Set<string>): Promise<number> {
  const { rows } = await pool.query<{ id: string; account_id: string }>(
    `select id, account_id from executions e where state = 'faulted' and parent_id is null and error ->> 'title' = 'Dead letter'
       and not exists (select from execution_retries where retry_of = e.id)`,
  )
  const [worker] = workers.ready()
  for (const { id, account_id: accountId } of rows) {
    replayed.add(id)
    worker?.send({ do: 'retry', accountId, id })
  }
  return rows.length
}

async function readProgress(pool: Pool): Promise<RunProgress> {
  const { rows } = await pool.query<RunProgress>(
    `select (select count(*)::int from executions where state in ('pending', 'running', 'waiting', 'suspended')) as active,
       (select count(*)::int from executions where claimed_by is not null) as claimed`,
  )
  return rows[0] ?? { active: 0, claimed: 0 }
}
