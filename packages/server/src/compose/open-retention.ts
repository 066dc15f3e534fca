import { createRetention, type Retention } from '@millrace/engine/storage'
import type { Config } from '#config/read-config.ts'
import { readPolicyRetention } from '#modules/privacy/index.ts'
import { readRetentionPeriods } from '#modules/workflows/index.ts'
import type { Database } from '#platform/db/database.ts'
import type { Logger } from './logger.ts'
import type { System } from './system.ts'

export interface OpenRetentionDeps {
  readonly db: Database['system']
  readonly logger: Logger
  readonly now: System['now']
}

/** Deletes executions by the periods of workflows, accounts and the installation, which privacy policies limit. */
export async function openRetention(
  { retentionMs, roles }: Pick<Config, 'retentionMs' | 'roles'>,
  { db, logger, now }: OpenRetentionDeps,
): Promise<Retention> {
  const readPeriods = async () => readRetentionPeriods({ db, retentionMs, limits: await readPolicyRetention(db) })
  const retention = createRetention({ db, now, retentionMs, readPeriods })
  if (roles.has('scheduler'))
    await retention.prepare().catch((error: unknown) => logger.warn({ task: 'retention', err: error }, 'maintenance task failed'))
  return retention
}
