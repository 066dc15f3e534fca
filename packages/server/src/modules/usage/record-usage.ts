import { hourOf } from './count-executions.ts'
import type { Meter } from './usage.ts'
import { addUsage, type Executor, insertRecord } from './usage-store.ts'

export interface UsageRecord {
  readonly meter: Meter
  readonly amount: number
  /** Names what is metered, unique for the account and meter: a repetition counts nothing. Undefined for what is never repeated. */
  readonly sourceId: string | undefined
  readonly atMs: number
}

/** Counts usage in the transaction of what is metered. */
export async function recordUsage(tx: Executor, accountId: string, { meter, amount, sourceId, atMs }: UsageRecord): Promise<void> {
  if (sourceId !== undefined && !(await insertRecord(tx, accountId, meter, sourceId, new Date(atMs)))) return
  if (amount > 0) await addUsage(tx, accountId, meter, hourOf(atMs), amount)
}
