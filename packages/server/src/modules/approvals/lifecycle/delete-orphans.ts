import { deleteOrphansAfter, type Executor, type WaitCursor } from '#modules/approvals/approval-store.ts'

/** Deletes approvals, with their mails, links and decisions, after their executions were deleted. */
export interface OrphanDeletion {
  /** Checks the next approvals; after the last one it begins again with the first. */
  deleteBatches(): Promise<void>
}

const batchSize = 1_000
/** Bounds one call, so that other maintenance tasks have their turn. */
const batchesMax = 10
const beginning: WaitCursor = { executionId: '00000000-0000-0000-0000-000000000000', position: '' }

/** Partitions of executions are dropped without reading their rows, so orphans are found from the approvals. */
export function createOrphanDeletion({ db }: { readonly db: Executor }): OrphanDeletion {
  let cursor = beginning
  return {
    async deleteBatches() {
      for (let batch = 0; batch < batchesMax; batch++) {
        const next = await deleteOrphansAfter(db, cursor, batchSize)
        cursor = next ?? beginning
        if (next === undefined) return
      }
    },
  }
}
