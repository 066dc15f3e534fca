import type { groups, Reply } from '@millrace/contract'
import { m } from '#src/messages/messages.ts'
import { rowTime } from '#src/values/format.ts'

type Summary = Reply<(typeof groups)['approvals']['list']>['data'][number]
type Lapsed = NonNullable<Reply<(typeof groups)['workflows']['executions']>['data'][number]['lapsedApproval']>

/** What came of an approval that ended without a decision; undefined for others. */
export function endWords({ state, endedAt, onDeadline }: Pick<Summary, 'state' | 'endedAt' | 'onDeadline'>): string | undefined {
  if (state === 'closed') return m.approvals.unneeded
  return state === 'expired' && endedAt !== null && onDeadline !== null ? lapsedWords({ endedAt, onDeadline }) : undefined
}

/** What followed an approval that was not decided in time. */
export function lapsedWords({ endedAt, onDeadline }: Lapsed): string {
  return m.approvals.lapsed[onDeadline](rowTime(endedAt))
}
