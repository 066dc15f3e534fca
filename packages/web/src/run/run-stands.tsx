import type { groups, Reply } from '@millrace/contract'
import { lapsedWords } from '#src/approvals/approval-end.ts'
import { verdictOf } from '#src/approvals/verdict-of.ts'
import { m } from '#src/messages/messages.ts'
import { errorWords } from '#src/run/error-words.ts'
import { waitOf } from '#src/run/stands-words.ts'
import { Badge } from '#src/ui/badge.tsx'

type Run = Reply<(typeof groups)['workflows']['executions']>['data'][number]

/** Where a run stands beside its state: what it waits for, what people decided, why it failed, or what followed an approval that was not decided in time. */
export function RunStands({ run }: { readonly run: Run }) {
  const wait = waitOf(run)
  if (wait !== undefined) return <span className="i2">{wait}</span>
  const { error, lapsedApproval } = run
  const verdict = verdictOf(run)
  if (verdict === undefined && error === undefined)
    return lapsedApproval === undefined ? null : <span className="i2">{lapsedWords(lapsedApproval)}</span>
  return (
    <>
      {verdict !== undefined && <Badge tone={verdict === 'approved' ? 'ok' : 'bad'}>{m.approvals.verdicts[verdict]('')}</Badge>}{' '}
      {error !== undefined && <span className="i2">{errorWords(error)}</span>}
    </>
  )
}
