import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { ApprovalCard } from '#src/approvals/approval-card.tsx'
import { m } from '#src/messages/messages.ts'
import { InboxPage } from '#src/patterns/inbox-page.tsx'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { StateIcon } from '#src/ui/icon.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Time } from '#src/ui/time.tsx'

export function Page() {
  return (
    <InboxPage
      title={m.approvals.title}
      lede={m.approvals.lede}
      name="approvals"
      refreshMs={15_000}
      load={(query) => api.approvals.list({ query })}
      id={({ id }) => id}
      filters={[{ name: 'for', label: m.approvals.queue, options: [['all', m.approvals.everyone]] }]}
      row={({ title, openedAt, deadlineAt, state }) => (
        <>
          <StateIcon state={state === 'open' ? 'waiting' : 'completed'} />
          <span className="grow">
            <span className="b blk">{title}</span>
            <span className="t12 i3">
              {deadlineAt === null ? (
                <Time at={openedAt} kind="ago" />
              ) : (
                <>
                  {m.approvals.due} <Time at={deadlineAt} kind="ago" />
                </>
              )}
            </span>
          </span>
        </>
      )}
      detail={({ id, executionId }) => <Case key={id} id={id} executionId={executionId} />}
      empty={{
        title: m.approvals.emptyTitle,
        text: m.approvals.emptyText,
        action: <ButtonLink to="/templates?category=approvals">{m.nav.templates}</ButtonLink>,
      }}
    />
  )
}

function Case({ id, executionId }: { readonly id: string; readonly executionId: string }) {
  const approvals = useQuery({
    queryKey: ['run.approvals', executionId, 'all'],
    queryFn: () => api.approvals.ofExecution({ params: { executionId }, query: { limit: 100 } }),
  })
  if (approvals.isError) return <ProblemPanel error={approvals.error} />
  const approval = approvals.data?.data.find((one) => one.id === id)
  if (approval === undefined) return <Skeleton rows={4} />
  return (
    <>
      <ApprovalCard approval={approval} />
      <p className="t13">
        <Link to={`/runs/${executionId}`}>{m.approvals.toRun}</Link>
      </p>
    </>
  )
}
