import { deleteEndedSessions, deleteForgottenThrottles } from '#modules/identity/index.ts'
import type { Database } from '#platform/db/database.ts'
import { sweepIdempotencyKeys, sweepRateLimitCounters } from '#platform/http/index.ts'
import type { Logger } from './logger.ts'
import type { System } from './system.ts'

const everyMs = 60_000
const rowsMax = 1_000
const dayMs = 24 * 60 * 60 * 1000

export interface UpkeepDeps {
  readonly database: Database
  readonly logger: Logger
  readonly system: System
}

/**
 * Deletes, once a minute, what has had its time. Rows that another process is deleting are passed over, so any number of schedulers may do
 * it, and what one pass leaves the next one takes.
 */
export function startUpkeep({ database: { system: db }, logger, system }: UpkeepDeps): { stop(): Promise<void> } {
  const chores: readonly (() => Promise<unknown>)[] = [
    () => sweepIdempotencyKeys(db, rowsMax),
    () => sweepRateLimitCounters(db),
    () => deleteEndedSessions(db, new Date(system.now() - dayMs), rowsMax),
    () => deleteForgottenThrottles(db, new Date(system.now() - 2 * dayMs), rowsMax),
  ]
  let pass: Promise<unknown> = Promise.resolve()
  let busy = false

  async function sweep(): Promise<void> {
    for (const chore of chores) {
      await chore().catch((error: unknown) => logger.warn({ err: error }, 'upkeep failed'))
    }
  }

  const timer = setInterval(() => {
    if (busy) return
    busy = true
    pass = sweep().finally(() => {
      busy = false
    })
  }, everyMs)
  return {
    async stop() {
      clearInterval(timer)
      await pass
    },
  }
}
