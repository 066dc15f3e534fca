import type { groups, Reply } from '@millrace/contract'
import { m } from '#src/messages/messages.ts'
import { rowTime } from '#src/values/format.ts'

type Listed = Reply<(typeof groups)['executions']['search']>['data'][number]

/** What a run of a list waits for, in a few words. */
export function waitWords({ what, task, until }: NonNullable<Listed['waitsFor']>): string {
  const w = m.waits
  if (what === 'time') return until === undefined ? w.short.time : w.shortUntil(rowTime(until))
  return task === undefined ? w.short[what] : w.shortIn(w.short[what], task)
}
