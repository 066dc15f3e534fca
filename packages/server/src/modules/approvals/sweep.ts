import { sql } from 'kysely'
import type { Executor } from './store.ts'

/** Deletes approvals, with their mails, links and answers, whose executions are kept no longer. */
export interface ApprovalSweep {
  /** Looks at the next of them; in as many passes as it takes at all. */
  pass(): Promise<void>
}

const batchSize = 1_000
/** One pass looks at no more, so that other chores get their turn. */
const batchesMax = 10

interface Place {
  readonly execution_id: string
  readonly position: string
}

const beginning: Place = { execution_id: '00000000-0000-0000-0000-000000000000', position: '' }

/** Executions go with their partitions, of which no row is read, so what belonged to them is looked for from here, along approvals_by_wait. */
export function createApprovalSweep({ db }: { readonly db: Executor }): ApprovalSweep {
  let behind = beginning
  async function next(): Promise<boolean> {
    const { rows } = await sql<Place & { readonly id: string; readonly gone: boolean }>`
      select a.id, a.execution_id, a.position, (select true from executions e where e.id = a.execution_id) is null as gone
      from approvals a where (a.execution_id, a.position) > (${behind.execution_id}::uuid, ${behind.position}::text)
      order by a.execution_id, a.position limit ${batchSize}`.execute(db)
    const gone = rows.flatMap((row) => (row.gone ? row.id : []))
    if (gone.length > 0) await sql`delete from approvals where id = any(${gone}::uuid[])`.execute(db)
    const last = rows.length === batchSize ? rows.at(-1) : undefined
    behind = last ?? beginning
    return last !== undefined
  }
  return {
    async pass() {
      for (let batch = 0; batch < batchesMax && (await next()); batch++);
    },
  }
}
