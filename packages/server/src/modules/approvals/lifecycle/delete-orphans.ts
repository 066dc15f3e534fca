import type { Executor } from '#modules/approvals/approval-store.ts'
import { sql } from 'kysely'

/** Deletes approvals, with their mails, links and decisions, after their executions were deleted. */
export interface OrphanDeletion {
  /** Checks the next approvals; after the last one it begins again with the first. */
  deleteBatches(): Promise<void>
}

const batchSize = 1_000
/** Bounds one call, so that other maintenance tasks have their turn. */
const batchesMax = 10

interface Cursor {
  readonly execution_id: string
  readonly position: string
}

const beginning: Cursor = { execution_id: '00000000-0000-0000-0000-000000000000', position: '' }

/** Partitions of executions are dropped without reading their rows, so orphans are found from the approvals, along the index approvals_by_wait. */
export function createOrphanDeletion({ db }: { readonly db: Executor }): OrphanDeletion {
  let cursor = beginning
  async function deleteNextBatch(): Promise<boolean> {
    const { rows } = await sql<Cursor & { readonly id: string; readonly is_orphan: boolean }>`
      select a.id, a.execution_id, a.position, (select true from executions e where e.id = a.execution_id) is null as is_orphan
      from approvals a where (a.execution_id, a.position) > (${cursor.execution_id}::uuid, ${cursor.position}::text)
      order by a.execution_id, a.position limit ${batchSize}`.execute(db)
    const orphans = rows.flatMap((row) => (row.is_orphan ? row.id : []))
    if (orphans.length > 0) await sql`delete from approvals where id = any(${orphans}::uuid[])`.execute(db)
    const last = rows.length === batchSize ? rows.at(-1) : undefined
    cursor = last ?? beginning
    return last !== undefined
  }
  return {
    async deleteBatches() {
      for (let batch = 0; batch < batchesMax && (await deleteNextBatch()); batch++);
    },
  }
}
