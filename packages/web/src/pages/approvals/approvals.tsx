import type { groups, Reply } from '@millrace/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { api } from '#src/api/client.ts'
import { ApprovalCard } from '#src/approvals/approval-card.tsx'
import { endWords } from '#src/approvals/approval-end.ts'
import { AskingRun } from '#src/approvals/asking-run.tsx'
import { DecidedMeanwhile } from '#src/approvals/decided-meanwhile.tsx'
import { m } from '#src/messages/messages.ts'
import { findInPages } from '#src/patterns/all-pages.ts'
import { type CasePlace, InboxPage } from '#src/patterns/inbox-page.tsx'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { StateIcon } from '#src/ui/icon.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Time } from '#src/ui/time.tsx'

const endStates = ['expired', 'approved', 'rejected', 'closed'] as const

export function Page() {
  const a = m.approvals
  const { state: shown = 'open' }: { state?: string } = useSearch({ strict: false })
  return (
    <InboxPage
      title={m.approvals.title}
      lede={m.approvals.lede}
      name="approvals"
      refreshMs={15_000}
      load={(query) => api.approvals.list({ query })}
      id={({ id }) => id}
      alwaysFilters
      keepsGone
      filters={[
        {
          name: 'for',
          label: a.queue,
          unchosen: a.mine,
          options: [
            ['all', a.everyone],
            ['unassigned', a.unassigned],
          ],
        },
        { name: 'state', label: a.state, unchosen: a.open, options: endStates.map((state) => [state, a.states[state]]) },
      ]}
      row={(approval) => {
        const { title, openedAt, deadlineAt, state, endedAt, onDeadline } = approval
        return (
          <>
            <StateIcon
              state={state === 'open' ? 'waiting' : state === 'approved' ? 'completed' : state === 'rejected' ? 'faulted' : 'skipped'}
            />
            <span className="grow">
              <span className="b blk">{title}</span>
              <span className="t12 i3">
                <AskingRun approval={approval} />
                {state !== 'open' ? (
                  (endWords({ state, endedAt, onDeadline }) ?? <Time at={endedAt ?? openedAt} kind="ago" />)
                ) : deadlineAt === null ? (
                  <Time at={openedAt} kind="ago" />
                ) : (
                  <>
                    {m.approvals.due} <Time at={deadlineAt} kind="ago" />
                  </>
                )}
              </span>
            </span>
          </>
        )
      }}
      detail={(item, place) => <Case key={item.id} item={item} place={place} />}
      empty={
        shown === 'open'
          ? {
              title: a.emptyTitle,
              text: a.emptyText,
              action: <ButtonLink to="/templates?category=approvals">{m.nav.templates}</ButtonLink>,
            }
          : { title: a.noneTitle, text: a.noneText }
      }
    />
  )
}

type Listed = Reply<(typeof groups)['approvals']['list']>['data'][number]

function Case({ item, place }: { readonly item: Listed; readonly place: CasePlace }) {
  const { id, executionId } = item
  const found = useQuery({
    queryKey: ['run.approvals', executionId, id],
    queryFn: async () => {
      const read = (cursor: string | undefined) =>
        api.approvals.ofExecution({ params: { executionId }, query: { limit: 100, ...(cursor === undefined ? {} : { cursor }) } })
      return (await findInPages(read, (one) => one.id === id)) ?? null
    },
  })
  const { refetch, data: approval } = found
  useEffect(() => {
    if (place.isGone) void refetch()
  }, [place.isGone, refetch])
  if (found.isError) return <ProblemPanel error={found.error} />
  if (approval === undefined) return <Skeleton rows={4} />
  if (approval === null) return <p className="i2">{m.approvals.notAskedAnyMore}</p>
  return (
    <>
      {place.isGone && !found.isFetching && <DecidedMeanwhile approval={approval} next={place.next} />}
      <ApprovalCard approval={approval} onDecided={place.done} />
      <p className="t13">
        <AskingRun approval={item} />
        <Link to={`/runs/${executionId}`}>{m.approvals.toRun}</Link>
      </p>
    </>
  )
}
