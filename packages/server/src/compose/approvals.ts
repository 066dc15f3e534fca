import { approvals } from '@millrace/contract'
import type { HttpSettings } from '#config/read-config.ts'
import {
  approvalHandlers,
  type ApprovalProcessorDeps,
  type Approvals,
  createApprovalProcessor,
  createApprovals,
} from '#modules/approvals/index.ts'
import type { AuditLog } from '#modules/audit/index.ts'
import type { AccountFiles } from '#modules/files/index.ts'
import { findWorkflowNames } from '#modules/workflows/index.ts'
import { createSecretBox } from '#platform/auth/secret-box.ts'
import type { Database } from '#platform/db/database.ts'
import { served } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import type { Feature } from './feature.ts'
import type { Logger } from './logger.ts'
import { originOf } from './origin.ts'
import type { System } from './system.ts'

export interface ApprovalParts {
  readonly database: Database
  readonly engine: ApprovalProcessorDeps['engine']
  readonly accountFiles: AccountFiles
  readonly mailer: Mailer | undefined
  readonly secretKey: Uint8Array
  readonly address: Pick<HttpSettings, 'publicUrl' | 'host' | 'port'>
  readonly logger: Logger
  readonly system: System
  readonly audit: Pick<AuditLog, 'write'>
}

/** Approvals with their background work. */
export function composeApprovals(parts: ApprovalParts): { readonly feature: Feature; readonly approvals: Approvals } {
  const { database, engine, accountFiles, mailer, secretKey, logger, system, audit } = parts
  const { newId, randomBytes } = system
  const now = () => new Date(system.now())
  const origin = originOf(parts.address)
  const service = createApprovals({ database, engine, files: accountFiles, now, newId })
  const processor = createApprovalProcessor({
    db: database.system,
    engine,
    mailer,
    box: createSecretBox(secretKey, 'approval-links', randomBytes),
    linkOf: (token) => `${origin}/approve/${token}`,
    runOf: (executionId) => `${origin}/runs/${toTypeId('exec', executionId)}`,
    audit: (tx, { accountId, id, executionId, event, details }) =>
      audit.write(
        {
          accountId,
          actor: 'system:approvals',
          event,
          target: toTypeId('apr', id),
          requestId: undefined,
          ip: undefined,
          details: { executionId: toTypeId('exec', executionId), ...details },
        },
        tx,
      ),
    now: system.now,
    newId,
    randomBytes,
    warn: (message, { error, ...details }) => logger.warn(error === undefined ? details : { ...details, err: error }, message),
  })
  const feature: Feature = {
    groups: {
      approvals: served(
        approvals,
        approvalHandlers({ service, now, workflowNames: findWorkflowNames, openFile: accountFiles.open, sendsMail: mailer !== undefined }),
      ),
    },
    loops: [{ role: 'scheduler', start: () => processor.start(), stop: () => processor.stop() }],
  }
  return { feature, approvals: service }
}
