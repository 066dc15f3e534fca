import type { Engine } from '@millrace/engine'
import { deleteDeadLettersOf, deleteEndedExecutions, hasUnfinishedExecutions } from '@millrace/engine/storage'
import { authRestore } from '@millrace/contract'
import type { Transaction } from 'kysely'
import type { Config } from '#config/read-config.ts'
import { type AccountDeletion, createAccountDeletion, restoreHandlers } from '#modules/accounts/index.ts'
import { deleteApprovalsOf } from '#modules/approvals/index.ts'
import { deleteDeliveriesAndEventsOf } from '#modules/events/index.ts'
import { cancelAllExecutions, deleteAttemptLogsOf } from '#modules/executions/index.ts'
import { pauseRepositoriesOf, resumeRepositoriesOf } from '#modules/git/index.ts'
import { hideEntriesOf, showEntriesOf } from '#modules/marketplace/index.ts'
import { deleteAllWorkflows, putAccountRetention, purgeWorkflows, restoreAllWorkflows } from '#modules/workflows/index.ts'
import type { Database } from '#platform/db/database.ts'
import type { Rows } from '#platform/db/rows.ts'
import { served } from '#platform/http/index.ts'
import type { Mail } from '#platform/mail/mail-job.ts'
import type { Feature } from './feature.ts'
import type { Logger } from './logger.ts'
import type { System } from './system.ts'
import { originOf } from './origin.ts'

export interface AccountParts {
  readonly engine: Pick<Engine, 'cancel'>
  readonly database: Pick<Database, 'system'>
  readonly system: Pick<System, 'now' | 'randomBytes'>
  readonly mail: Pick<Mail, 'isAvailable' | 'prepare' | 'send'>
  readonly logger: Pick<Logger, 'warn'>
  readonly config: Pick<Config, 'deletionGraceMs'> & { readonly http: Parameters<typeof originOf>[0] }
  /** Deletes the rows that further areas have of an account. */
  readonly purge?: (tx: Transaction<Rows>, accountId: string) => Promise<void>
}

const deletion = 'system:account-deletion'
const restoration = 'system:account-restoration'

/** The deletion of accounts, with every module that has data of them. */
export function composeAccountDeletion(parts: AccountParts): AccountDeletion {
  const { engine, system, mail, config, logger, purge } = parts
  const db = parts.database.system
  return createAccountDeletion({
    db,
    mail,
    graceMs: config.deletionGraceMs,
    restorePage: `${originOf(config.http)}/mail/restore`,
    now: system.now,
    randomBytes: system.randomBytes,
    onFailure: (accountId, error) => logger.warn({ accountId, err: error }, 'deleted account not purged'),
    data: {
      async stop(tx, accountId, at) {
        await deleteAllWorkflows(tx, accountId, { at, by: deletion })
        await pauseRepositoriesOf(tx, accountId)
        await hideEntriesOf(tx, accountId, at)
      },
      async resume(tx, accountId, at) {
        await restoreAllWorkflows(tx, accountId, deletion, { at, by: restoration })
        await resumeRepositoriesOf(tx, accountId, at)
        await showEntriesOf(tx, accountId, at)
      },
      cancelExecutions: (accountId) => cancelAllExecutions(engine, db, accountId),
      hasUnfinishedExecutions: (accountId) => hasUnfinishedExecutions(db, accountId),
      batches: [
        (accountId, limit) => deleteEndedExecutions(db, accountId, limit),
        (accountId, limit) => deleteDeliveriesAndEventsOf(db, accountId, limit),
        (accountId, limit) => deleteAttemptLogsOf(db, accountId, limit),
      ],
      async rest(tx, accountId) {
        await deleteDeadLettersOf(tx, accountId)
        await deleteApprovalsOf(tx, accountId)
        await putAccountRetention(tx, accountId, undefined)
        await purge?.(tx, accountId)
        await purgeWorkflows(tx, accountId)
      },
    },
  })
}

/** The restoration of deleted accounts. */
export function composeAccountRestoration(accounts: AccountDeletion): Feature {
  return { groups: { authRestore: served(authRestore, restoreHandlers(accounts)) } }
}
