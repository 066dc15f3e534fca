import { randomUUID } from 'node:crypto'
import { drive } from './drive.ts'
import { causeFaults, type Faults } from './faults.ts'
import { compileGenerated, generateWorkflows } from './generate-workflows.ts'
import type { Limits } from './invariants.ts'
import { judge } from './judge.ts'
import type { Observations } from './observations.ts'
import { createRandom } from './random.ts'
import { readObservations } from './read-observations.ts'
import { openStage } from './stage.ts'
import { createStarter } from './starter.ts'
import { watchForNobody } from './watch-for-nobody.ts'
import { openWorkerPool, type WorkerPool } from './worker-pool.ts'

export interface LedgerRunOptions {
  readonly executions: number
  readonly kills: number
  readonly restarts: number
  readonly cuts: number
  readonly seed: number
  /** Processes that run executions at a time. */
  readonly processes: number
  /** Executions that are under way at a time. */
  readonly concurrency: number
  /** Where the database lies, and what processes warn of. */
  readonly home: string
  readonly limits: Limits
  /** Told what happens, now and then. */
  readonly say: (what: string) => void
}

export interface LedgerRunResult {
  readonly seen: Observations
  readonly kills: WorkerPool['kills']
  readonly faults: Pick<Faults, 'restarts' | 'cuts'>
  readonly repeatedStarts: number
  readonly durationMs: number
  /** What was broken, each with the invariant that it breaks. */
  readonly broken: readonly string[]
}

/** Starts executions on several processes that are killed, on a database that goes away, and looks whether anything was lost or done twice. */
export async function runLedger(options: LedgerRunOptions): Promise<LedgerRunResult> {
  const beganAtMs = Date.now()
  const { seed, say } = options
  const { postgres, pool, ledger, log } = await openStage(options.home)
  const workflows = generateWorkflows(seed)
  const random = createRandom(seed)
  const starter = createStarter({
    count: options.executions,
    random,
    workflows,
    accountIds: [randomUUID(), randomUUID(), randomUUID(), randomUUID()],
    ledgerUrl: ledger.url,
  })
  const workers = await openWorkerPool({
    count: options.processes,
    socket: postgres.socket,
    urlAt: postgres.urlAt,
    seed,
    onLine(worker, line) {
      starter.hear(worker, line)
      if (line.say === 'warning') log.write(`${worker.pid} ${line.message} ${line.details}`)
    },
    onEnd: (worker) => starter.lost(worker),
  })
  const alone = watchForNobody(workers)
  const faults = causeFaults({ ...options, random, pool: workers, postgres, progress: () => starter.starts.length / options.executions })
  await drive({ ...options, starter, workers, pool, faults, random })
  const outages = [...faults.outages, ...alone.stop()]
  await workers.close()
  await ledger.close()
  log.close()
  say('all have ended; now everything is held against the records')
  const records = { starts: starter.starts, effects: ledger.book.effects, kills: workers.kills, outages, deaths: workers.deaths }
  const seen = await readObservations(pool, compileGenerated(workflows), records)
  await pool.end()
  await postgres.close()
  return {
    seen,
    kills: workers.kills,
    faults,
    repeatedStarts: starter.repeated,
    durationMs: Date.now() - beganAtMs,
    broken: judge(seen, workflows, options.limits),
  }
}
