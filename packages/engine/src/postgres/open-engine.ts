import type { Pool } from 'pg'
import type { PgBoss } from 'pg-boss'
import type { Lifecycle } from '#durable/lifecycle-events.ts'
import { createEngine, type Engine } from '#durable/process/engine.ts'
import type { JournalLimits } from '#durable/run/journal-meter.ts'
import type { Processor } from '#durable/ports/processor.ts'
import type { Boundary } from '#durable/ports/boundary.ts'
import type { Definitions } from '#durable/ports/definitions.ts'
import type { EffectFunction, Secrets } from '#durable/ports/effects.ts'
import type { Reception } from '#durable/ports/reception.ts'
import type { Reporter } from '#durable/ports/reporter.ts'
import { createBus } from './events/bus.ts'
import { createFilterCache } from '#events/filter-cache.ts'
import { createFlusher } from './journal/flusher.ts'
import { openJobQueue } from './queue/job-queue.ts'
import { createProcessIdentity } from './claims/process-identity.ts'
import { createStore } from './store.ts'
import { createTurns } from './claims/turns.ts'
import { TRIAL_MS } from './claims/crash-suspects.ts'

export interface OpenEngineDeps {
  /** Connections as the owner of the tables, with `json` columns read as text. */
  readonly pool: Pool
  /** Started, on the same database. */
  readonly boss: PgBoss
  readonly definitions: Definitions
  readonly secrets: Secrets
  /** The functions that `call` can name, `http` among them. */
  readonly functions: Pick<ReadonlyMap<string, EffectFunction>, 'get'>
  /** Examines messages to waits, outcomes of children and their inputs; nothing does unless given. */
  readonly reception?: Reception
  readonly reporter: Reporter
  readonly now: () => number
  /** A new UUIDv7. */
  readonly newId: () => string
  /** Of Millrace, for `$runtime.version`. */
  readonly version: string
  /** The id of an execution in the API; its own id unless given. */
  readonly publicId?: (executionId: string) => string
  /** Names the machine and its process namespace: processes with the same host can check whether the others exist. */
  readonly host: string
  readonly pid: number
  readonly lives: (pid: number) => boolean
  /** The roles of the process, recorded for operators. */
  readonly roles?: readonly string[]
  readonly boundary?: Boundary
  readonly lifecycle?: Lifecycle
  /** Shares the thread with other work; used by executions alone unless given. */
  readonly processor?: Processor
}

export interface OpenEngineOptions {
  /** Executions that run in this process at the same time; 0 where it only accepts. */
  readonly liveMax: number
  readonly lanes: number
  /** Executions of one account that come from the queue and run at the same time, for each process that runs any. */
  readonly perAccountMax: number
  readonly recoverMs?: number
  readonly idleMs?: number
  /** The size limits of one execution's journal; none unless given. */
  readonly journalLimits?: JournalLimits
  /** How long events are kept; a week unless given. */
  readonly eventRetentionMs?: number
  /** Time without a crash before a crash suspect is tried; 15 s unless given. */
  readonly trialMs?: number
}

const WEEK_MS = 7 * 24 * 60 * 60 * 1000
/** Compiled event filters in the cache of a process. */
const FILTERS_MAX = 5_000

/** The engine on PostgreSQL. Call `work()` to begin, `close()` before the pool and pg-boss are closed. */
export async function openEngine(deps: OpenEngineDeps, options: OpenEngineOptions): Promise<Engine> {
  const { pool, newId } = deps
  // For the life of the client: pg-pool removes its own listener while a client is in use, and an error event without a listener ends the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const identity = createProcessIdentity({ ...deps, works: options.liveMax > 0 })
  const jobs = await openJobQueue(deps.boss, options)
  const retentionMs = options.eventRetentionMs ?? WEEK_MS
  const store = createStore({ pool, jobs, identity, newId, retentionMs, trialMs: options.trialMs ?? TRIAL_MS, now: deps.now })
  const filters = createFilterCache(FILTERS_MAX)
  const bus = createBus({ pool, jobs, filters, newId, retentionMs, processId: () => identity.id(), reporter: deps.reporter })
  const flushing = { pool, jobs, filters, newId, retentionMs, processId: () => identity.id(), onEvents: () => bus.wake() }
  const journal = createFlusher(flushing, { lanes: options.lanes, batchMax: 500 })
  const turns = createTurns({ pool, jobs, processId: () => identity.id() })
  return createEngine({ ...deps, journal, store, queue: jobs, bus, turns }, options)
}
