import { archivist } from '@millrace/contract'
import manifest from '#manifest' with { type: 'json' }
import { openVerifier } from '@millrace/engine'
import { createExecutionReader } from '@millrace/engine/storage'
import * as z from 'zod'
import { createApprovals } from '#modules/approvals/index.ts'
import {
  abandonPack,
  type ApprovalEvidence,
  archivistHandlers,
  createArchivist,
  createPacks,
  deleteOldPacks,
  deletePacksOf,
  makePack,
  packLifeMs,
  piiSummary,
} from '#modules/archivist/index.ts'
import type { AuditReading, EvidenceKeys } from '#modules/audit/index.ts'
import { consentView, listConsents } from '#modules/consents/index.ts'
import { findErased } from '#modules/erasures/index.ts'
import { listPolicies, policyView, sumDecisions } from '#modules/privacy/index.ts'
import { findAccountRetention, versionQuery } from '#modules/workflows/index.ts'
import { createFiles } from '#platform/files/files.ts'
import { served } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import { handled, job } from '#platform/jobs/job.ts'
import { publicId, secretsOfExecutions } from './engine.ts'
import type { AccountFiles } from '#modules/files/index.ts'
import type { Feature, FeatureParts } from './feature.ts'

export interface ArchivistParts extends FeatureParts {
  readonly accountFiles: AccountFiles
  readonly reading: AuditReading
  readonly keys: EvidenceKeys
  readonly assertStorage: (accountId: string) => Promise<void>
}

const attemptsMax = 5
const packsAtATime = 50

const packJob = job({
  name: 'archivist.evidence-pack',
  payload: z.strictObject({ accountId: z.uuid(), packId: z.uuid() }),
  retry: { limit: attemptsMax - 1, delaySeconds: 5, delaySecondsMax: 120 },
})

/** Evidence of executions: replays, receipts and packs. */
export function composeArchivist(parts: ArchivistParts): Feature {
  const { database, enginePool, definitions, processor, secrets, system, jobs, reading: audit, keys } = parts
  const { now, newId, randomBytes } = system
  const read = secretsOfExecutions(secrets)
  const verifier = openVerifier({ pool: enginePool, definitions, secrets: read, version: manifest.version, publicId })
  const reader = createExecutionReader({ pool: enginePool, versionQuery })
  const service = createArchivist({
    database,
    reader,
    processor,
    loadWorkflow: (accountId, versionId) => definitions.load(accountId, versionId),
    verify: verifier.verify,
    erasedOf: (accountId, execution) => findErased(database.system, accountId, execution),
    approvalsOf: approvalsReader(parts),
    audit,
    keys,
    now,
  })
  const files = createFiles({ db: database.system, now, newId, randomBytes })
  const packs = createPacks({
    database,
    files,
    audit,
    reader,
    now,
    newId,
    assertStorage: parts.assertStorage,
    prepare: async (tx, pack) => void (await jobs.send(tx, packJob, { ...pack })),
  })
  const summary = {
    database,
    audit,
    reader,
    now,
    retentionMs: (accountId: string) => findAccountRetention(database.system, accountId),
  }
  const maker = {
    database,
    files,
    archivist: service,
    audit,
    keys,
    now,
    rulesOf: rulesReader(parts),
    printReport: parts.printer.printReport,
  }
  return {
    groups: {
      archivist: served(
        archivist,
        archivistHandlers({
          archivist: service,
          packs,
          audit,
          record: parts.audit,
          now,
          piiSummary: (accountId, days) => piiSummary(summary, accountId, days),
          decisions: (accountId, from, to) => database.account(accountId, (tx) => sumDecisions(tx, accountId, from, to)),
        }),
      ),
    },
    jobs: [
      handled(packJob, async ({ accountId, packId }, { attempt, signal }) => {
        try {
          await makePack(maker, accountId, packId, signal)
        } catch (error) {
          if (attempt >= attemptsMax) await abandonPack(maker, accountId, packId)
          throw error
        }
      }),
    ],
    maintenance: [{ name: 'evidence-packs', run: () => deleteOldPacks(database.system, new Date(now() - packLifeMs), packsAtATime) }],
    purge: deletePacksOf,
  }
}

const policiesMax = 1_000

function rulesReader({ database, system }: FeatureParts) {
  return (accountId: string) =>
    database.account(accountId, async (tx) => ({
      consents: (await listConsents(tx, accountId)).map((consent) => consentView(consent, accountId, system.now())),
      policies: (await listPolicies(tx, accountId, policiesMax, undefined)).map(policyView),
    }))
}

const approvalsAtATime = 100

/** The approvals of an execution with the people who decided, as `user:…` or `mail:…`. */
function approvalsReader({ database, engine, accountFiles: files, system }: ArchivistParts) {
  const approvals = createApprovals({ database, engine, files, now: () => new Date(system.now()), newId: system.newId })
  return async (accountId: string, executionId: string): Promise<readonly ApprovalEvidence[]> => {
    const records = await database.account(accountId, async (tx) => {
      const next = (before: string | undefined) =>
        approvals.ofExecution(tx, accountId, executionId, { state: undefined, before, limit: approvalsAtATime })
      const all = [...(await next(undefined))]
      for (let read = all.length; read === approvalsAtATime; ) {
        const page = await next(all.at(-1)?.approval.id)
        all.push(...page)
        read = page.length
      }
      return all
    })
    return records.map(({ approval, decisions }) => ({
      id: toTypeId('apr', approval.id),
      state: approval.state,
      openedAt: approval.openedAt,
      endedAt: approval.endedAt,
      decisions: decisions.map(({ person, choice, at }) => ({ by: person.key, decision: choice, at })),
    }))
  }
}
