import type { groups, Reply } from '@millrace/contract'
import { m } from '#src/messages/messages.ts'
import { duration, durationOr, number, percent } from '#src/values/format.ts'

type Totals = Reply<(typeof groups)['analytics']['workflows']>['totals']

/** The figures of a period, beside those of the one before it. */
export function totalTiles(totals: Totals, before: Totals): readonly (readonly [string, string, string])[] {
  const i = m.insights
  return [
    [i.runs, number(totals.executions), i.before(number(before.executions))],
    [i.success, percent(totals.successRate), i.before(percent(before.successRate))],
    [i.median, durationOr(totals.durationMs.p50), `p90 ${durationOr(totals.durationMs.p90)} · p99 ${durationOr(totals.durationMs.p99)}`],
    [i.queue, durationOr(totals.queueWaitMs.p50), `p99 ${durationOr(totals.queueWaitMs.p99)}`],
    ...(totals.savedMinutes === null
      ? []
      : [[i.saved, duration(totals.savedMinutes * 60_000), i.before(duration((before.savedMinutes ?? 0) * 60_000))] as const]),
  ]
}
