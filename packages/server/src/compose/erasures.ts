import { erasures as operations } from '@millrace/contract'
import * as z from 'zod'
import { createExecutionReader } from '@millrace/engine/storage'
import { digestsOf, erasedEvent } from '#modules/archivist/index.ts'
import { eraseEventDetails } from '#modules/audit/index.ts'
import { createErasures, deleteErasuresOf, erasureHandlers } from '#modules/erasures/index.ts'
import type { AccountFiles } from '#modules/files/index.ts'
import { versionQuery } from '#modules/workflows/index.ts'
import { served } from '#platform/http/index.ts'
import { toTypeId } from '#platform/ids.ts'
import { handled, job } from '#platform/jobs/job.ts'
import type { Feature, FeatureParts } from './feature.ts'

const eraseJob = job({
  name: 'privacy.erase',
  payload: z.strictObject({ accountId: z.uuid(), erasureId: z.uuid() }),
  retry: { limit: 10, delaySeconds: 5, delaySecondsMax: 600 },
})

/** Erasure of the data of persons. */
export function composeErasures(parts: FeatureParts, files: Pick<AccountFiles, 'search' | 'ofForm' | 'removeForm'>): Feature {
  const { database, sealing, jobs, closing, system } = parts
  const { now, newId } = system
  const erasures = createErasures({
    database,
    sealing,
    eraseEvents: eraseEventDetails,
    files,
    seal: sealer(parts),
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

/** Writes the digests of what an erasure left of an execution to the audit log. */
function sealer({ audit, enginePool }: FeatureParts): Parameters<typeof createErasures>[0]['seal'] {
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
