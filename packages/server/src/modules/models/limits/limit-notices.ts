import { type LimitPeriod, periodsAt, type ReachedLimit, reachedLimits, type SpendingLimits, type SpendingNow } from './spending-limits.ts'

/** A limit of an account of which a share is used. */
export interface SpendingNotice extends ReachedLimit {
  readonly accountId: string
  readonly percent: number
  readonly currency: string | undefined
  readonly periodStart: Date
  readonly resetsAt: Date
  /** Names the notice in its period. A limit that is changed has other notices. */
  readonly key: string
}

export interface LimitNoticesDeps {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** False if it was recorded already. The administrators are notified if `isSent`, in the same transaction. */
  readonly recordNotice: (notice: SpendingNotice, isSent: boolean) => Promise<boolean>
  /** A notice that fails does not fail the call. */
  readonly onError: (error: unknown) => void
}

const knownMax = 50_000

/** Notifies of limits of which a share is used, once in a period. */
export function createLimitNotices({ now, recordNotice, onError }: LimitNoticesDeps) {
  /** As far as this process knows, so that no further call begins a transaction to find out. */
  const known = new Set<string>()

  return async (accountId: string, limits: SpendingLimits, used: Pick<SpendingNow, LimitPeriod>): Promise<void> => {
    const { warnPercent, currency } = limits
    const bounds = periodsAt(now())
    const sent = new Set<string>()
    // The highest one is sent, and those below it are recorded only.
    for (const percent of [100, warnPercent])
      for (const reached of reachedLimits(limits, used, percent)) {
        const { period, unit, limit } = reached
        const { start: periodStart, end: resetsAt } = bounds[period]
        const key = `models.${period}.${unit}:${limit}`
        const name = `${accountId} ${key} ${periodStart.getTime()} ${percent}`
        if (known.has(name)) continue
        if (known.size >= knownMax) known.clear()
        known.add(name)
        try {
          if (await recordNotice({ ...reached, accountId, percent, currency, periodStart, resetsAt, key }, !sent.has(key))) sent.add(key)
        } catch (error) {
          known.delete(name)
          onError(error)
        }
      }
  }
}
