import { randomUUID } from 'node:crypto'
import { drive } from './drive.ts'
import { causeFaults, type Faults } from './faults.ts'
import { compileGenerated, generateWorkflows } from './generate-workflows.ts'
import type { Limits } from './invariants.ts'
import { checkInvariants } from './check-invariants.ts'
import type { Observations } from './observations.ts'
import { createRandom } from './random.ts'
import { readObservations } from './read-observations.ts'
import { openLedgerEnvironment } from './open-ledger-environment.ts'
import { createStarter } from './starter.ts'
import { watchForNoProcess } from './watch-for-no-process.ts'
import { writeRecords } from './write-records.ts'
import { openWorkerPool, type WorkerPool } from './worker-pool.ts'

export interface LedgerRunOptions {
  readonly executions: number
  readonly kills: number
  readonly restarts: number
  readonly cuts: number
  readonly seed: number
  /** Number of simultaneous worker processes. */
  readonly processes: number
  /** Maximum number of concurrent executions. */
  readonly concurrency: number
  /** Folder of the database and of the log of the processes' warnings. */
  readonly home: string
  readonly limits: Limits
  /** Receives progress messages. */
  readonly say: (what: string) => void
  /** File for the records of the executions, as they are and altered; none without it. */
  readonly recordsFile?: string | undefined
}

export interface LedgerRunResult {
  readonly seen: Observations
  readonly kills: WorkerPool['kills']
  readonly faults: Pick<Faults, 'restarts' | 'cuts'>
  readonly repeatedStarts: number
  readonly durationMs: number
  /** The violations, each with the name of its invariant. */
  readonly broken: readonly string[]
}

/** Runs executions on processes that are killed and a database that fails, and checks that no execution was lost and no effect was performed twice. */
export async function runLedger(options: LedgerRunOptions): Promise<LedgerRunResult> {
  const beganAtMs = Date.now()
  const { seed, say } = options
  const { postgres, pool, ledger, log } = await openLedgerEnvironment(options.home)
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
  const processWatch = watchForNoProcess(workers)
  const faults = causeFaults({ ...options, random, pool: workers, postgres, progress: () => starter.starts.length / options.executions })
  await drive({ ...options, starter, workers, pool, faults, random })
  const outages = [...faults.outages, ...processWatch.stop()]
  await workers.close()
  await ledger.close()
  log.close()
  say('all executions have ended; checking the invariants')
  const records = { starts: starter.starts, effects: ledger.book.effects, kills: workers.kills, outages, deaths: workers.deaths }
  const compiled = compileGenerated(workflows)
  const seen = await readObservations(pool, compiled, records)
  if (options.recordsFile !== undefined) await writeRecords({ pool, generated: workflows, compiled }, options.recordsFile)
  await pool.end()
  await postgres.close()
  return {
    seen,
    kills: workers.kills,
    faults,
    repeatedStarts: starter.repeated,
    durationMs: Date.now() - beganAtMs,
    broken: checkInvariants(seen, workflows, options.limits),
  }
}
