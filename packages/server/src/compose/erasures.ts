import { erasures as operations } from '@millrace/contract'
import * as z from 'zod'
import { eraseEventDetails } from '#modules/audit/index.ts'
import { createErasures, deleteErasuresOf, erasureHandlers } from '#modules/erasures/index.ts'
import type { AccountFiles } from '#modules/files/index.ts'
import { served } from '#platform/http/index.ts'
import { handled, job } from '#platform/jobs/job.ts'
import type { Feature, FeatureParts } from './feature.ts'

const eraseJob = job({
  name: 'privacy.erase',
  payload: z.strictObject({ accountId: z.uuid(), erasureId: z.uuid() }),
  retry: { limit: 10, delaySeconds: 5, delaySecondsMax: 600 },
})

/** Erasure of the data of persons. */
export function composeErasures(
  { database, sealing, jobs, closing, system: { now, newId } }: FeatureParts,
  files: Pick<AccountFiles, 'search' | 'ofForm' | 'removeForm'>,
): Feature {
  const erasures = createErasures({
    database,
    sealing,
    eraseEvents: eraseEventDetails,
    files,
    send: async (tx, target) => void (await jobs.send(tx, eraseJob, { ...target })),
    now,
    newId,
  })
  return {
    groups: { erasures: served(operations, erasureHandlers(erasures)) },
    jobs: [handled(eraseJob, ({ accountId, erasureId }, { signal }) => erasures.erase(accountId, erasureId, signal))],
    maintenance: [{ name: 'privacy-erasures', run: () => erasures.continueDue(closing) }],
    purge: deleteErasuresOf,
  }
}
