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
  /** Straight to the database. */
  readonly pool: Pool
  readonly faults: Faults
  readonly random: Random
  readonly say: (what: string) => void
}

const LOOK_MS = 200
/** What may begin from one kill to the next is spread over so long, so that there is work under way whenever a process dies. */
const SPREAD_MS = 2_000
const SAY_MS = 10_000
/** After the last start and the last fault all must have ended in this time. */
const SETTLE_MS_MAX = 180_000

interface Standing {
  readonly active: number
  readonly claimed: number
}

/** Starts executions as faults go on, lets dead letters go on, and waits until all have ended; not without end. */
export async function drive(deps: DriveDeps): Promise<void> {
  const { starter, workers, pool, say } = deps
  const redriven = new Set<string>()
  let faulting = true
  void deps.faults.done.then(() => (faulting = false))
  let saidAtMs = 0
  for (let settlingSinceMs: number | undefined; ; await pause(LOOK_MS)) {
    const standing = await readStanding(pool).catch(() => undefined)
    const letters = standing === undefined ? 0 : await redrive(deps, redriven).catch(() => 1)
    if (Date.now() - saidAtMs > SAY_MS) {
      saidAtMs = Date.now()
      say(
        `${starter.starts.length} started, ${standing?.active ?? '?'} under way, ${workers.kills.length} kills, ${redriven.size} dead letters`,
      )
    }
    if (standing !== undefined) startSome(deps, standing, faulting)
    if (faulting || starter.more()) continue
    settlingSinceMs ??= Date.now()
    const settled = standing !== undefined && standing.active + standing.claimed + letters + starter.pending() === 0
    if (settled || Date.now() - settlingSinceMs > SETTLE_MS_MAX) break
  }
  await deps.faults.done
}

/** Starts a few at a time, keeps at most so many under way, and begins no more in all than the share of the faults that have come. */
function startSome({ starter, workers, random, executions, kills, concurrency }: DriveDeps, { active }: Standing, faulting: boolean): void {
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

/** @returns how many have been given up and do not go on yet. */
async function redrive({ pool, workers }: DriveDeps, redriven: Set<string>): Promise<number> {
  const { rows } = await pool.query<{ id: string; account_id: string }>(
    `select id, account_id from executions e where state = 'faulted' and parent_id is null and error ->> 'title' = 'Given up'
       and not exists (select from execution_retries where retry_of = e.id)`,
  )
  const [worker] = workers.ready()
  for (const { id, account_id: accountId } of rows) {
    redriven.add(id)
    worker?.send({ do: 'retry', accountId, id })
  }
  return rows.length
}

async function readStanding(pool: Pool): Promise<Standing> {
  const { rows } = await pool.query<Standing>(
    `select (select count(*)::int from executions where state in ('pending', 'running', 'waiting', 'suspended')) as active,
       (select count(*)::int from executions where claimed_by is not null) as claimed`,
  )
  return rows[0] ?? { active: 0, claimed: 0 }
}
