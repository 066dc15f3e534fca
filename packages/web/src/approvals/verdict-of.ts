import type { groups, Reply } from '@millrace/contract'

type Run = Reply<(typeof groups)['workflows']['executions']>['data'][number]

/** What people last decided about a run; undefined where a later approval had no decision. */
export function verdictOf({ decidedApproval, lapsedApproval }: Pick<Run, 'decidedApproval' | 'lapsedApproval'>) {
  if (decidedApproval === undefined) return undefined
  const isOver = lapsedApproval !== undefined && lapsedApproval.endedAt > decidedApproval.endedAt
  return isOver ? undefined : decidedApproval.verdict
}
