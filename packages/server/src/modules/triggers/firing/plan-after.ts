import { type ExecutionSnapshot, isTerminal } from '@millrace/engine'
import type { Trigger } from '#modules/triggers/model.ts'
import type { DuePlan } from './firing-store.ts'

/** A trigger that is due a time after the end of the execution that it started last. */
interface AfterTrigger extends Pick<Trigger, 'id' | 'accountId' | 'nextAt' | 'lastFiredAt' | 'lastError'> {
  readonly afterMs: number
}

const lookMsMin = 1_000
const lookMsMax = 30_000

/**
 * Whether such a trigger starts something now, and when it is looked at next.
 * @param previous the execution that it started last; undefined without one, or when it is no longer kept.
 * @param pendingAt when a start that was due before and has not been made yet is tried; a quota that refuses it may postpone it for long.
 */
export function planAfter(
  trigger: AfterTrigger,
  previous: ExecutionSnapshot | undefined,
  pendingAt: Date | undefined,
  nowMs: number,
): DuePlan {
  const { afterMs, lastFiredAt, nextAt, lastError } = trigger
  const fire = (at: number): DuePlan => ({ trigger, dueAt: [at], nextAt: nowMs + lookMsMin })
  const look = (at: number): DuePlan => ({ trigger, dueAt: [], nextAt: at })
  if (pendingAt !== undefined) return look(Math.max(pendingAt.getTime(), nowMs + lookMsMin))
  if (lastFiredAt === undefined) return fire(nextAt?.getTime() ?? nowMs)
  if (previous !== undefined && !isTerminal(previous.state)) {
    const elapsed = nowMs - lastFiredAt.getTime()
    return look(nowMs + Math.min(Math.max(lookMsMin, Math.min(afterMs, elapsed / 10)), lookMsMax))
  }
  // A start that failed counts like an execution that ended at once.
  const endedAt = lastError !== undefined ? lastFiredAt.getTime() : (previous?.endedAtMs ?? lastFiredAt.getTime())
  const dueAt = endedAt + afterMs
  return dueAt > nowMs ? look(dueAt) : fire(dueAt)
}
