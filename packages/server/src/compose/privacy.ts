import { account, privacy } from '@millrace/contract'
import * as z from 'zod'
import {
  abandonExport,
  accountHandlers,
  countExports,
  createExports,
  createSettings,
  dataOverview,
  deleteExportsOf,
  makeExport,
} from '#modules/account-data/index.ts'
import { readLogFigures } from '#modules/audit/index.ts'
import type { AccountFiles } from '#modules/files/index.ts'
import { createConsents, createEgress, deleteConsentsOf, hostRegions } from '#modules/consents/index.ts'
import { countFactors, findAccountSettings, lockAccountSettings, putAccountSettings } from '#modules/identity/index.ts'
import { notify } from '#modules/notifications/index.ts'
import {
  type ComplianceFacts,
  createPrivacy,
  deleteOldDecisions,
  deletePrivacyOf,
  privacyHandlers,
  readPrivacyFigures,
} from '#modules/privacy/index.ts'
import { findAccountRetention, putAccountRetention, readAccountRetention } from '#modules/workflows/index.ts'
import { deleteExpiredFiles, deleteFilesOf } from '#platform/files/file-store.ts'
import { createFiles } from '#platform/files/files.ts'
import { served, type Tx } from '#platform/http/index.ts'
import { handled, job } from '#platform/jobs/job.ts'
import { inBatches } from '#platform/db/in-batches.ts'
import { departureLog } from './departures.ts'
import type { Feature, FeatureParts } from './feature.ts'

const attemptsMax = 5
const filesAtATime = 50
const dayMs = 24 * 60 * 60 * 1000
const decisionDays = 365

const exportJob = job({
  name: 'account.export',
  payload: z.strictObject({ accountId: z.uuid(), exportId: z.uuid() }),
  retry: { limit: attemptsMax - 1, delaySeconds: 5, delaySecondsMax: 120 },
})

/** Personal data in texts, consents, and the data of accounts. */
export function composePrivacy(
  parts: FeatureParts,
  { hasWorkflow, accountFiles }: Pick<Parameters<typeof createPrivacy>[0], 'hasWorkflow'> & { readonly accountFiles: AccountFiles },
) {
  const { database, system, secretKey } = parts
  const { now, newId, randomBytes } = system
  const db = database.system
  const service = createPrivacy({ secretKey, now, newId, randomBytes, hasWorkflow })
  const consents = createConsents({ now, newId })
  const egress = createEgress({
    consents,
    region: parts.config.region,
    regionOf: hostRegions(parts.config.hostRegions),
    record: departureLog(system),
  })
  const facts = factsReader(parts, consents)
  const feature: Feature = {
    groups: { privacy: served(privacy, privacyHandlers({ privacy: service, forgetPolicies: parts.policies.forget, egress, facts, now })) },
    maintenance: [
      {
        name: 'privacy-decisions',
        run: () => inBatches((limit) => deleteOldDecisions(db, new Date(now() - decisionDays * dayMs), limit)),
      },
    ],
    purge: deletePrivacyOf,
  }
  return { features: [feature, composeAccount(parts, consents, accountFiles)], service }
}

function composeAccount(
  { authentication, config, database, system, jobs, departures }: FeatureParts,
  consents: ReturnType<typeof createConsents>,
  accountFiles: AccountFiles,
): Feature {
  const { now, newId, randomBytes } = system
  const db = database.system
  const files = createFiles({ db, now, newId, randomBytes })
  const settings = createSettings({
    find: findAccountSettings,
    lock: lockAccountSettings,
    put: putAccountSettings,
    retentionMs: findAccountRetention,
    putRetention: putAccountRetention,
    hasFactor: async (tx, accountId, userId) => (await authentication.identity.findFactors(tx, accountId, userId)).factors.length > 0,
    isDemanded: config.signIn.demandsSecondFactor,
  })
  const exports = createExports({ files, now, newId, prepare: async (tx, target) => void (await jobs.send(tx, exportJob, { ...target })) })
  const notifyReady = (tx: Tx, accountId: string) =>
    notify(tx, {
      accountId,
      roles: ['owner'],
      kind: 'system.notice',
      title: 'The export of the account is ready',
      body: 'Repeat the request for the export to get a link for one download. The file is deleted after a day.',
    })
  const overview = (accountId: string) => dataOverview(db, accountId, new Date(now()))
  return {
    groups: { account: served(account, accountHandlers({ settings, consents, exports, overview, now, onPreferences: departures.forget })) },
    jobs: [
      handled(exportJob, async ({ accountId, exportId }, { attempt, signal }) => {
        try {
          await makeExport({ database, files, accountFiles, now, notifyReady }, accountId, exportId, signal)
        } catch (error) {
          if (attempt >= attemptsMax) await abandonExport({ database, files, now }, accountId, exportId)
          throw error
        }
      }),
    ],
    maintenance: [{ name: 'files', run: () => sweepFiles(db, now) }],
    async purge(executor, accountId) {
      await deleteConsentsOf(executor, accountId)
      await deleteExportsOf(executor, accountId)
      await deleteFilesOf(executor, accountId)
    },
  }
}

/** Deletes files that have expired, at most 10,000 in one run. */
async function sweepFiles(db: FeatureParts['database']['system'], now: () => number): Promise<void> {
  for (let round = 0; round < 200; round++) if ((await deleteExpiredFiles(db, new Date(now()), filesAtATime)) < filesAtATime) return
}

/** What the compliance report is computed from. */
function factsReader({ config, database }: FeatureParts, consents: ReturnType<typeof createConsents>) {
  return async (tx: Tx, accountId: string): Promise<ComplianceFacts> => {
    const retentionMs = await readAccountRetention(tx, accountId, config.retentionMs)
    const factors = await countFactors(tx, accountId)
    const crossBorder = await consents.crossBorder(tx, accountId)
    const figures = await readPrivacyFigures(tx, accountId)
    return {
      ...(await readLogFigures(database.system, accountId)),
      retentionDays: retentionMs === undefined ? undefined : Math.ceil(retentionMs / dayMs),
      ...figures,
      requiresMfa: factors.isRequired || config.signIn.demandsSecondFactor,
      users: factors.users,
      usersWithoutMfa: factors.without,
      usesHttps: config.http.publicUrl?.startsWith('https://') === true,
      crossBorder: crossBorder.state,
      region: config.region,
      receipts: await consents.count(tx, accountId),
      exports: await countExports(tx, accountId),
    }
  }
}
