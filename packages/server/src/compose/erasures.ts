import { erasures as operations, Fault, persons as personOperations } from '@millrace/contract'
import * as z from 'zod'
import { maskFor } from '@millrace/engine'
import { createExecutionReader } from '@millrace/engine/storage'
import { digestsOf, erasedEvent } from '#modules/archivist/index.ts'
import { countEventDetails, eraseEventDetails, listEventDetails } from '#modules/audit/index.ts'
import {
  abandonReport,
  createErasures,
  createPersons,
  createReports,
  deleteErasuresOf,
  deleteReportsOf,
  erasureHandlers,
  listStuckReports,
  makeReport,
  personHandlers,
  type ReportMakerDeps,
} from '#modules/erasures/index.ts'
import type { AccountFiles } from '#modules/files/index.ts'
import { findPoliciesFor } from '#modules/privacy/index.ts'
import { findWorkflowNames, versionQuery } from '#modules/workflows/index.ts'
import { createFiles } from '#platform/files/files.ts'
import { served } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import { handled, job } from '#platform/jobs/job.ts'
import type { Feature, FeatureParts } from './feature.ts'

/** One pass, which another process repeats when this one dies. Further ones are sent when the erasure is due, after a failure too. */
const eraseJob = job({
  name: 'privacy.erase',
  payload: z.strictObject({ accountId: z.uuid(), erasureId: z.uuid() }),
  retry: { limit: 1, delaySeconds: 60, delaySecondsMax: 60 },
  singleton: ({ erasureId }) => erasureId,
})

const reportAttemptsMax = 5
const reportJob = job({
  name: 'privacy.report',
  payload: z.strictObject({ accountId: z.uuid(), reportId: z.uuid() }),
  retry: { limit: reportAttemptsMax - 1, delaySeconds: 5, delaySecondsMax: 120 },
})

/** A report that a process has begun to make is taken for lost when none has been making it for this time. */
const silentMs = 24 * 60 * 60 * 1000
const stuckMax = 100

type PersonFiles = Pick<AccountFiles, 'search' | 'ofForm' | 'removeForm' | 'find' | 'open'>

const events = { count: countEventDetails, list: listEventDetails }

/** The data of persons: where it is, reports about it, and its erasure. */
export function composeErasures(parts: FeatureParts, accountFiles: PersonFiles): Feature {
  const { database, sealing, jobs, closing, system } = parts
  const { now, newId } = system
  const db = database.system
  const files = createFiles({ ...system, db })
  const persons = createPersons({ db, files: accountFiles, events, now, newId })
  const reports = createReports({
    files,
    sealing,
    prepare: async (tx, target) => void (await jobs.send(tx, reportJob, { ...target })),
    now,
    newId,
  })
  const maker: ReportMakerDeps = {
    ...backgroundOf(parts),
    database,
    sealing,
    files,
    accountFiles,
    openFile: opener(parts, accountFiles),
    events,
    now,
  }
  const erasures = createErasures({
    database,
    sealing,
    eraseEvents: eraseEventDetails,
    files: accountFiles,
    attest: attester(parts),
    send: async (executor, target) => void (await jobs.send(executor, eraseJob, { ...target })),
    now,
    newId,
  })
  return {
    groups: {
      erasures: served(operations, erasureHandlers(erasures, persons)),
      persons: served(personOperations, personHandlers({ persons, reports, now })),
    },
    jobs: [
      handled(eraseJob, ({ accountId, erasureId }, { signal }) => erasures.erase(accountId, erasureId, signal)),
      handled(reportJob, async ({ accountId, reportId }, { attempt, signal }) => {
        try {
          await makeReport(maker, accountId, reportId, signal)
        } catch (error) {
          if (attempt < reportAttemptsMax) throw error
          // The process that closes has interrupted the last attempt: another one continues.
          if (closing.aborted) await jobs.send(db, reportJob, { accountId, reportId })
          else await abandonReport(maker, accountId, reportId)
          throw error
        }
      }),
    ],
    maintenance: [
      { name: 'privacy-erasures', run: () => erasures.continueDue() },
      {
        name: 'privacy-reports',
        async run() {
          const stuck = await listStuckReports(db, { silentSince: new Date(now() - silentMs), now: new Date(now()), limit: stuckMax })
          for (const { accountId, id } of stuck) await abandonReport(maker, accountId, id)
        },
      },
    ],
    async purge(executor, accountId) {
      await deleteErasuresOf(executor, accountId)
      await deleteReportsOf(executor, accountId)
    },
  }
}

/** What reports say about records beside their data. */
function backgroundOf({ database, secrets }: FeatureParts): Pick<ReportMakerDeps, 'policiesOf' | 'maskOf' | 'workflowName'> {
  const db = database.system
  return {
    policiesOf: (accountId, workflowId) => findPoliciesFor(db, accountId, workflowId),
    async maskOf(accountId, workflowId) {
      const names = await secrets.names(accountId, { workflowId })
      return maskFor(await secrets.read(accountId, [...names], { workflowId }))?.text
    },
    workflowName: async (accountId, id) => (await findWorkflowNames(db, accountId, [id])).get(id),
  }
}

function opener({ database }: FeatureParts, accountFiles: PersonFiles): ReportMakerDeps['openFile'] {
  return async (accountId, id) => {
    try {
      const file = await database.account(accountId, (tx) => accountFiles.find(tx, accountId, id))
      return { content: accountFiles.open(file, { from: 0, to: file.bytes }), bytes: file.bytes }
    } catch (error) {
      if (error instanceof Fault && error.code === 'not_found') return undefined
      throw error
    }
  }
}

/** Writes the digests of what an erasure left of an execution to the audit log. */
function attester({ audit, enginePool }: FeatureParts): Parameters<typeof createErasures>[0]['attest'] {
  const reader = createExecutionReader({ pool: enginePool, versionQuery })
  return async (tx, { accountId, executionId: id, erasureId }) => {
    const [execution] = await reader.executions([{ accountId, id }])
    if (execution === undefined) return undefined
    const details = { erasure: toTypeId('era', erasureId), ...digestsOf(execution, await reader.journal({ accountId, id })) }
    const target = toTypeId('exec', id)
    return audit.writeProvable(
      { accountId, actor: 'system:erasure', event: erasedEvent, target, requestId: undefined, ip: undefined, details },
      tx,
    )
  }
}
