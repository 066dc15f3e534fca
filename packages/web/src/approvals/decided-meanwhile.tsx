import type { Approval } from '#src/approvals/approval.ts'
import { m } from '#src/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'
import { rowTime } from '#src/values/format.ts'

/** Says what became of a question while it was looked at, with the way to the next one. */
export function DecidedMeanwhile({ approval, next }: { readonly approval: Approval; readonly next: (() => void) | undefined }) {
  return (
    <div className="notice-strip row wrap" role="status">
      <span className="grow">
        {endOf(approval)} {next === undefined && m.approvals.noNext}
      </span>
      {next !== undefined && (
        <Button size="sm" onClick={next}>
          {m.approvals.next}
        </Button>
      )}
    </div>
  )
}

function endOf({ state, answers }: Approval): string {
  const last = answers.at(-1)
  if (last === undefined || (state !== 'approved' && state !== 'rejected')) return m.approvals.notAskedAnyMore
  return m.approvals.decidedBy[last.decision](last.name ?? last.by, rowTime(last.at))
}
