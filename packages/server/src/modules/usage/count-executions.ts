import type { ExecutionCount } from '@millrace/engine/storage'
import { type CountedHour, type Executor, lastCountedHour, listCountedHours, markCounted, raiseCounts } from './usage-store.ts'

const hourMs = 60 * 60 * 1000
/** An hour is counted this long after its end, when its executions have been committed. */
const settleMs = hourMs
/** It is counted again then, for executions that a long outage of the database delayed; retention deletes none in its first day. */
const finalMs = 20 * hourMs
/** Hours that a new installation, or one that was down, counts back. */
const backMs = 24 * hourMs

export interface CountDeps {
  readonly db: Executor
  readonly now: () => number
  /** Executions created from `from` until `to`, by account. */
  readonly countExecutions: (from: Date, to: Date) => Promise<readonly ExecutionCount[]>
}

export function hourOf(ms: number): Date {
  return new Date(Math.floor(ms / hourMs) * hourMs)
}

/** Executions from this time on are counted from their rows, earlier ones from the stored hours. */
export async function countedUntil(db: Executor, nowMs: number): Promise<Date> {
  const last = await lastCountedHour(db)
  return last === undefined ? hourOf(nowMs - backMs) : new Date(last.getTime() + hourMs)
}

/** Counts the hours that are due, oldest first, so that the counted ones have no gap. */
export async function countHours({ db, now, countExecutions }: CountDeps): Promise<void> {
  const nowMs = now()
  const end = nowMs - settleMs
  for (let hour = (await countedUntil(db, nowMs)).getTime(); hour + hourMs <= end; hour += hourMs) await count(hour, false)
  const again = await listCountedHours(db, hourOf(nowMs - 3 * backMs))
  for (const { hour } of again.filter((counted) => isDue(counted, nowMs))) await count(hour.getTime(), true)

  async function count(startMs: number, final: boolean): Promise<void> {
    const counts = await countExecutions(new Date(startMs), new Date(startMs + hourMs))
    await db.transaction().execute(async (tx) => {
      await raiseCounts(tx, 'executions', new Date(startMs), counts)
      await markCounted(tx, new Date(startMs), final)
    })
  }
}

function isDue({ hour, final }: CountedHour, nowMs: number): boolean {
  return !final && hour.getTime() + hourMs + finalMs <= nowMs
}
