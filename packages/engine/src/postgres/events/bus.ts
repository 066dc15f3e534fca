import type { Pool } from 'pg'
import type { Bus } from '#durable/ports/bus.ts'
import type { Reporter } from '#durable/ports/reporter.ts'
import { createNotificationListener } from '#postgres/queue/notifications.ts'
import type { JobSender } from '#postgres/queue/job-queue.ts'
import { deliverMessage } from '#postgres/claims/messages.ts'
import { inTransaction } from '#postgres/sql/with-client.ts'
import type { EventFilterCache } from '#events/filter-cache.ts'
import { insertEvents } from './insert-events.ts'
import { createMatcher } from './matcher.ts'

export interface BusDeps {
  readonly pool: Pool
  readonly jobs: JobSender
  readonly filters: EventFilterCache
  readonly newId: () => string
  readonly processId: () => string
  readonly retentionMs: number
  readonly reporter: Reporter
}

/** Publishes events, matches them with listeners, and delivers messages to waits. */
export function createBus(deps: BusDeps): Bus {
  const { pool, jobs, reporter } = deps
  let wakeExecutions: (executionIds: readonly string[]) => void = () => undefined
  const matcher = createMatcher({
    ...deps,
    onMessages: (ids) => wakeExecutions(ids),
    onError: (error) => reporter.warn('event matching failed', { error }),
  })
  const notifications = createNotificationListener({
    pool,
    onNotification: (ids) => wakeExecutions(ids),
    onError: (error) => reporter.warn('LISTEN connection lost; polling until it is restored', { error }),
  })
  return {
    start(wake) {
      wakeExecutions = wake
      matcher.start()
      notifications.start()
    },
    wake: () => matcher.nudge(),
    async publish(accountId, events, depth = 0) {
      const count = await insertEvents(
        pool,
        events.map((event) => ({ accountId, event, depth })),
        deps,
      )
      if (count > 0) matcher.nudge()
      return count
    },
    async send(delivery) {
      const delivered = await inTransaction(pool, (client) => deliverMessage(client, jobs, delivery, deps.processId()))
      if (delivered) wakeExecutions([delivery.executionId])
      return delivered
    },
    async stop() {
      await Promise.all([matcher.stop(), notifications.stop()])
    },
  }
}
