import { setImmediate } from 'node:timers/promises'
import type { Trigger } from '#modules/triggers/model.ts'

/** Requests are served at least so often in between. */
const turnMs = 10
/** Further schedules are left to the next claim, so that starts do not wait for rules that take long. */
const planMsMax = 250
/** A schedule that takes so long is a costly one; most take a hundredth of it. */
const costlyMs = 5
/** What the costly schedules of one account may take in a claim. */
const costlyMsMax = 50

/**
 * Plans schedules that are due, in their order, as long as there is time. An account whose costly rules have used its share waits for the next claim, where
 * it comes last, so that it does not delay the schedules of others.
 * @param plan returns a promise for what it waits for.
 * @param costlyAccounts those that used their share in the last claim; they are replaced by those of this one.
 */
export async function planInTurns<T extends Pick<Trigger, 'accountId'>>(
  due: readonly T[],
  plan: (trigger: T) => Promise<void> | undefined,
  costlyAccounts: Set<string>,
  elapsed: () => number = () => performance.now(),
): Promise<void> {
  const spent = new Map<string, number>()
  const inOrder = Map.groupBy(due, ({ accountId }) => costlyAccounts.has(accountId))
  const endsAt = elapsed() + planMsMax
  let turnEndsAt = elapsed() + turnMs
  for (const trigger of [...(inOrder.get(false) ?? []), ...(inOrder.get(true) ?? [])]) {
    const { accountId } = trigger
    const begunAt = elapsed()
    if (begunAt >= endsAt) break
    const used = spent.get(accountId) ?? 0
    if (used >= costlyMsMax) continue
    const waited = plan(trigger)
    // What it computes, not what it waits for.
    const endedAt = elapsed()
    if (endedAt - begunAt >= costlyMs) spent.set(accountId, used + endedAt - begunAt)
    await waited
    if (endedAt < turnEndsAt) continue
    await setImmediate()
    turnEndsAt = elapsed() + turnMs
  }
  costlyAccounts.clear()
  for (const [accountId, used] of spent) if (used >= costlyMsMax) costlyAccounts.add(accountId)
}
