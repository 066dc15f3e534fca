import { analytics } from '@millrace/contract'
import { deleteEndsOf } from '@millrace/engine/storage'
import { analyticsHandlers, createAnalytics, createEvaluator, deleteFiguresOf } from '#modules/analytics/index.ts'
import { findAccountSettings } from '#modules/identity/index.ts'
import { fireByEndsSql } from '#modules/triggers/index.ts'
import { meterTasksSql } from '#modules/usage/index.ts'
import { served, type Tx } from '#platform/http/index.ts'
import type { Feature, FeatureParts } from './feature.ts'

/** Figures about ended executions, and notifications of faulted ones. */
export function composeAnalytics({ database, logger, system: { now } }: FeatureParts): Feature {
  const evaluator = createEvaluator({
    db: database.system,
    also: [meterTasksSql, fireByEndsSql],
    warn: (message, { error, ...details }) => logger.warn(error === undefined ? details : { ...details, err: error }, message),
  })
  return {
    groups: { analytics: served(analytics, analyticsHandlers(createAnalytics({ now, timeZoneOf }))) },
    loops: [{ role: 'scheduler', start: () => evaluator.start(), stop: () => evaluator.stop() }],
    async purge(executor, accountId) {
      await deleteEndsOf(executor, accountId)
      await deleteFiguresOf(executor, accountId)
    },
  }
}

async function timeZoneOf(tx: Tx, accountId: string): Promise<string | undefined> {
  return (await findAccountSettings(tx, accountId))?.timeZone
}
