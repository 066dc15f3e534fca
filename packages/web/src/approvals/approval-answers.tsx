import type { Approval } from '#src/approvals/approval.ts'
import { useApproverNames } from '#src/approvals/approver-names.ts'
import { m } from '#src/messages/messages.ts'
import { StateIcon } from '#src/ui/icon.tsx'
import { onDemand } from '#src/ui/on-demand.tsx'
import { Time } from '#src/ui/time.tsx'

const Obstacle = onDemand(() => import('#src/approvals/obstacle.tsx').then((module) => module.Obstacle))
const Escalations = onDemand(() => import('#src/approvals/escalations.tsx').then((module) => module.Escalations))

/** Who is asked, now and next, what they have answered, and whom a mail has reached where no one did. */
export function Answers({ approval }: { readonly approval: Approval }) {
  const namesOf = useApproverNames()
  const mailed = approval.mails.flatMap(({ to, sentAt }) => (sentAt === null ? [] : [{ to, sentAt }]))
  const people = namesOf(approval.approvers)
  return (
    <div className="t13 i2">
      {approval.obstacle !== undefined && <Obstacle obstacle={approval.obstacle} />}
      <p>{m.approvals.asks(people.join(', '), approval.required === 'all' ? m.approvals.all : String(approval.required))}</p>
      {approval.state === 'open' && approval.escalations !== undefined && <Escalations approval={approval} />}
      {approval.answers.map((answer) => (
        <p key={answer.by} className="row">
          <StateIcon state={answer.decision === 'approve' ? 'completed' : 'faulted'} />
          <span>
            {answer.name ?? answer.by}
            {answer.reason === undefined ? '' : `: ${answer.reason}`}
          </span>
          <span className="i3">
            <Time at={answer.at} />
          </span>
        </p>
      ))}
      {approval.state === 'expired' && mailed.length > 0 && (
        <p>
          {m.approvals.mailed}
          {mailed.map(({ to, sentAt }, index) => (
            <span key={`${to} ${sentAt}`}>
              {index === 0 ? ' ' : ', '}
              <bdi>{to}</bdi> <Time at={sentAt} />
            </span>
          ))}
        </p>
      )}
    </div>
  )
}
