import type { groups, Reply } from '@millrace/contract'
import { m } from '#src/messages/messages.ts'
import { rowTime } from '#src/values/format.ts'

type Approval = Reply<(typeof groups)['approvals']['ofExecution']>['data'][number]
type Summary = Reply<(typeof groups)['approvals']['list']>['data'][number]
type Run = Reply<(typeof groups)['workflows']['executions']>['data'][number]
type Lapsed = NonNullable<Run['lapsedApproval']>

/** What came of an approval that ended without a decision; undefined for others. */
export function endWords({ state, endedAt, onDeadline }: Pick<Summary, 'state' | 'endedAt' | 'onDeadline'>): string | undefined {
  if (state === 'closed') return m.approvals.unneeded
  return state === 'expired' && endedAt !== null && onDeadline !== null ? lapsedWords({ endedAt, onDeadline }) : undefined
}

/** What followed an approval that was not decided in time. */
export function lapsedWords({ endedAt, onDeadline }: Lapsed): string {
  return m.approvals.lapsed[onDeadline](rowTime(endedAt))
}

/** Who decided an approval and how: "Rejected by Lee"; undefined where people did not decide. */
export function verdictWords({ state, answers }: Pick<Approval, 'state' | 'answers'>): string | undefined {
  if (state !== 'approved' && state !== 'rejected') return undefined
  const decision = state === 'approved' ? 'approve' : 'reject'
  const people = answers.flatMap((answer) => (answer.decision === decision ? [answer.name ?? answer.by] : []))
  return m.approvals.verdicts[state](people.join(', '))
}

/** The mark of what came of an approval: a rejection is no success of its step. */
export function verdictMark({ state }: Pick<Approval, 'state'>): string {
  return state === 'approved' ? 'completed' : 'faulted'
}
