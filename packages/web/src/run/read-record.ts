import { api } from '#src/api/client.ts'
import type { RunRecord } from '#src/rehearse/run-record.ts'

/** Longer journals are replayed by the server alone. */
const pagesMax = 20
const pageSize = 2000

/** Reads the record of a run, page by page. */
export async function readRecord(executionId: string): Promise<RunRecord> {
  const params = { executionId }
  const { nextCursor, ...record } = await api.executions.record({ params, query: { limit: pageSize } })
  const journal = [...record.journal]
  let cursor = nextCursor
  for (let page = 1; cursor !== null; page++) {
    if (page >= pagesMax) throw new Error('the journal is too long for this device')
    const next = await api.executions.record({ params, query: { limit: pageSize, cursor } })
    journal.push(...next.journal)
    cursor = next.nextCursor
  }
  return { ...record, journal }
}
