import { deleteOldDeadLetters, deleteOrphanedWaits, deleteUnusedFilters, type Retention } from '@millrace/engine/storage'
import type { PgBoss } from 'pg-boss'
import * as z from 'zod'
import type { Config } from '#config/read-config.ts'
import type { AccountDeletion } from '#modules/accounts/index.ts'
import { createOrphanDeletion } from '#modules/approvals/index.ts'
import { deleteDeliveredEvents, deleteEndedDeliveries, endUnsendableDeliveries } from '#modules/events/index.ts'
import { deleteExpiredSessions, deleteForgottenThrottles } from '#modules/identity/index.ts'
import type { Database } from '#platform/db/database.ts'
import { inBatches } from '#platform/db/in-batches.ts'
import { sweepIdempotencyKeys, sweepRateLimitCounters } from '#platform/http/index.ts'
import { handled, type HandledJob, job } from '#platform/jobs/job.ts'
import { type JobWorker, startJobWorker } from '#platform/jobs/job-worker.ts'
import type { Logger } from './logger.ts'
import type { System } from './system.ts'

const rowsMax = 1_000
const dayMs = 24 * 60 * 60 * 1000
/** Delay after the start, so that maintenance does not slow it down. */
const schedulesDelayMs = 60_000

export interface MaintenanceParts {
  readonly database: Pick<Database, 'system'>
  readonly accounts: Pick<AccountDeletion, 'purge'>
  readonly retention: Pick<Retention, 'pass'>
  readonly system: Pick<System, 'now'>
  /** Tasks of further areas. */
  readonly more?: readonly MaintenanceTask[]
}

/** One periodic chore of the installation. */
export interface MaintenanceTask {
  readonly name: string
  readonly run: () => Promise<unknown>
}

/**
 * Every maintenance task, each of which does a bounded part of its work in a run. Rows that another process is deleting are skipped, so that
 * a task may run in two processes at the same time.
 */
export function maintenanceTasks({
  database,
  accounts,
  retention,
  system: { now },
  more = [],
}: MaintenanceParts): readonly MaintenanceTask[] {
  const db = database.system
  const approvals = createOrphanDeletion({ db })
  const daysAgo = (days: number) => new Date(now() - days * dayMs)
  return [
    { name: 'idempotency-keys', run: () => inBatches((limit) => sweepIdempotencyKeys(db, limit)) },
    { name: 'rate-limit-counters', run: () => sweepRateLimitCounters(db) },
    { name: 'sessions', run: () => inBatches((limit) => deleteExpiredSessions(db, daysAgo(1), limit)) },
    { name: 'login-throttles', run: () => inBatches((limit) => deleteForgottenThrottles(db, daysAgo(2), limit)) },
    { name: 'events', run: () => inBatches((limit) => deleteDeliveredEvents(db, limit)) },
    { name: 'event-deliveries', run: () => inBatches((limit) => deleteEndedDeliveries(db, daysAgo(7), limit)) },
    {
      name: 'unsendable-deliveries',
      run: () => endUnsendableDeliveries(db, new Date(now()), { subscriptionsMax: 100, limit: rowsMax }),
    },
    { name: 'event-filters', run: () => deleteUnusedFilters(db, daysAgo(1), rowsMax) },
    { name: 'waits', run: () => deleteOrphanedWaits(db, rowsMax) },
    { name: 'dead-letters', run: () => inBatches((limit) => deleteOldDeadLetters(db, daysAgo(90), limit)) },
    { name: 'deleted-accounts', run: () => accounts.purge() },
    { name: 'retention', run: () => retention.pass() },
    { name: 'approvals', run: () => approvals.deleteBatches() },
    ...more,
  ]
}

export interface StartMaintenanceParts extends MaintenanceParts {
  readonly boss: PgBoss
  readonly logger: Pick<Logger, 'warn'>
  /** The jobs that modules send. */
  readonly handlers?: readonly HandledJob[]
}

const nothing = z.strictObject({})
/** A failed task runs again at the next time of its schedule. */
const noRetry = { limit: 0, delaySeconds: 1, delaySecondsMax: 1 }

/** Runs background jobs in this process: the jobs that modules send, and every maintenance task once a minute in one of the processes. */
export function startMaintenance(parts: StartMaintenanceParts, roles: Config['roles']): JobWorker {
  const { boss, database, logger } = parts
  return startJobWorker({
    boss,
    db: database.system,
    jobs: [...(parts.handlers ?? []), ...maintenanceTasks(parts).map(jobOfTask)],
    registersSchedules: roles.has('scheduler'),
    schedulesDelayMs,
    // Users wait for mails with links and codes.
    pollingIntervalSeconds: 0.5,
    onFailure({ name, id, attempt, retried, scheduled, error }) {
      if (scheduled && name.startsWith('maintenance.'))
        logger.warn({ task: name.slice('maintenance.'.length), err: error }, 'maintenance task failed')
      else logger.warn({ job: name, id, attempt, retried, err: error }, 'background job failed')
    },
    onError: (error) => logger.warn({ err: error }, 'job queue could not be prepared'),
  })
}

function jobOfTask({ name, run }: MaintenanceTask): HandledJob {
  const schedule = { cron: '* * * * *', payload: {} }
  const declared = job({ name: `maintenance.${name}`, payload: nothing, retry: noRetry, singleton: () => '', schedule })
  return handled(declared, async () => void (await run()))
}
