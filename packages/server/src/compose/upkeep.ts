import type { Engine } from '@millrace/engine'
import { createRetention, deleteOldDeadLetters, type Retention } from '@millrace/engine/storage'
import { deleteEndedDeliveries, deleteExpiredEvents, deleteLeftWaits, deleteUnusedFilters } from '#modules/events/index.ts'
import { type ApprovalSweep, createApprovalSweep } from '#modules/approvals/index.ts'
import { readRetentionPeriods } from '#modules/workflows/index.ts'
import { deleteEndedSessions, deleteForgottenThrottles } from '#modules/identity/index.ts'
import type { Database } from '#platform/db/database.ts'
import { sweepIdempotencyKeys, sweepRateLimitCounters } from '#platform/http/index.ts'
import { purgeDeletedAccounts } from './purge-accounts.ts'
import type { Logger } from './logger.ts'
import type { System } from './system.ts'

const everyMs = 60_000
const rowsMax = 1_000
const dayMs = 24 * 60 * 60 * 1000

export interface UpkeepDeps {
  readonly database: Pick<Database, 'system'>
  readonly engine: Pick<Engine, 'cancel'>
  readonly retention: Pick<Retention, 'pass'>
  readonly approvals: ApprovalSweep
  readonly logger: Pick<Logger, 'warn'>
  readonly system: Pick<System, 'now'>
}

export interface StartUpkeepDeps extends Omit<UpkeepDeps, 'retention' | 'approvals'> {
  /** How long executions are kept after their end, unless something else is said; undefined for ever. */
  readonly retentionMs: number | undefined
}

/** Makes room for what will be kept, then deletes, once a minute, what has had its time. */
export async function startUpkeep({ retentionMs, ...more }: StartUpkeepDeps): Promise<{ stop(): Promise<void> }> {
  const db = more.database.system
  const readPeriods = () => readRetentionPeriods(db)
  const retention = createRetention({ db, now: more.system.now, retentionMs, readPeriods })
  const deps: UpkeepDeps = { ...more, retention, approvals: createApprovalSweep({ db }) }
  // Without it executions lie where they are moved from by a later pass.
  await retention.prepare().catch((error: unknown) => more.logger.warn({ err: error }, 'upkeep failed'))
  let pass: Promise<void> | undefined
  const timer = setInterval(() => {
    pass ??= sweep(deps).finally(() => {
      pass = undefined
    })
  }, everyMs)
  return {
    async stop() {
      clearInterval(timer)
      await pass
    },
  }
}

/**
 * One pass over everything. Rows that another process is deleting are passed over, so any number of schedulers may do it; what one pass
 * leaves, the next one takes. One after another, since none of it is urgent and requests need the connections.
 */
export async function sweep({ database: { system: db }, engine, retention, approvals, logger, system }: UpkeepDeps): Promise<void> {
  const now = system.now()
  const chores: readonly (() => Promise<unknown>)[] = [
    () => sweepIdempotencyKeys(db, rowsMax),
    () => sweepRateLimitCounters(db),
    () => deleteEndedSessions(db, new Date(now - dayMs), rowsMax),
    () => deleteForgottenThrottles(db, new Date(now - 2 * dayMs), rowsMax),
    () => deleteExpiredEvents(db, rowsMax),
    () => deleteEndedDeliveries(db, new Date(now - 7 * dayMs), rowsMax),
    () => deleteUnusedFilters(db, new Date(now - dayMs), rowsMax),
    () => deleteLeftWaits(db, rowsMax),
    () => deleteOldDeadLetters(db, new Date(now - 90 * dayMs), rowsMax),
    () => purgeDeletedAccounts({ db, engine }),
    () => retention.pass(),
    () => approvals.pass(),
  ]
  for (const chore of chores) await chore().catch((error: unknown) => logger.warn({ err: error }, 'upkeep failed'))
}
