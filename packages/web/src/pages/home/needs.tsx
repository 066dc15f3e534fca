import type { groups, Reply } from '@millrace/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usePolling } from '#src/app/live-changes.ts'
import { api } from '#src/api/client.ts'
import { AskingRun } from '#src/approvals/asking-run.tsx'
import { m } from '#src/messages/messages.ts'
import type { Day, Failing } from '#src/pages/home/day.ts'
import { Page as Shell } from '#src/patterns/page.tsx'
import { useIsAdmin } from '#src/session/use-is-admin.ts'
import { useMay } from '#src/session/use-may.ts'
import { useSession } from '#src/session/session.ts'
import { errorWords } from '#src/run/error-words.ts'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Time } from '#src/ui/time.tsx'
import { number } from '#src/values/format.ts'

interface Need {
  readonly key: string
  readonly tone: 'wait' | 'bad'
  readonly icon: string
  readonly title: string
  readonly text: ReactNode
  readonly to: string
  readonly action: string
  /** How many it stands for; one unless given. */
  readonly count?: number
}

const shown = 4
const counted = 100

/** What needs this person: approvals, workflows that fail, dead letters; then the rest of the page. */
export function Needs({
  day,
  children,
}: {
  /** Until it was read, the page shows a skeleton. */
  readonly day: Day | undefined
  readonly children: ReactNode
}) {
  const refetchInterval = usePolling(30_000)
  const readsApprovals = useMay('approvals:read')
  const approvals = useQuery({
    queryKey: ['approvals', 'home'],
    enabled: readsApprovals,
    refetchInterval,
    queryFn: () => api.approvals.list({ query: { limit: counted } }),
  })
  const readsLetters = useMay('queue:read')
  const letters = useQuery({
    queryKey: ['home.letters'],
    enabled: readsLetters,
    queryFn: () => api.queue.deadLetters({ query: { replayed: 'false', limit: counted } }),
  })
  const isAdmin = useIsAdmin()
  const orphaned = useQuery({
    queryKey: ['approvals', 'home', 'unassigned'],
    enabled: isAdmin && readsApprovals,
    refetchInterval,
    queryFn: () => api.approvals.list({ query: { for: 'unassigned', limit: counted } }),
  })
  const own = useSession(({ me }) => `user:${me?.id}`)
  const requests = useQuery({
    queryKey: ['publish-requests'],
    enabled: isAdmin,
    refetchInterval,
    queryFn: () => api.workflowDrafts.publishRequests({}),
  })
  if (day === undefined)
    return (
      <Shell title={m.nav.home}>
        <Skeleton />
      </Shell>
    )
  const failed = [approvals, letters, requests, orphaned].find(({ data, error }) => data === undefined && error !== null)
  const isMore = [approvals, letters, orphaned].some(({ data }) => (data?.nextCursor ?? null) !== null)
  const isReady = [approvals, letters, requests, orphaned].every(({ isLoading }) => !isLoading)
  const asked = requests.data?.data.filter(({ request }) => request.requestedBy !== own) ?? []
  const needs = [
    ...approvalNeeds(approvals.data?.data ?? []),
    ...orphanNeeds(orphaned.data?.data ?? []),
    ...requestNeeds(asked),
    ...failingNeeds(day.failing),
    ...letterNeeds(letters.data?.data ?? []),
  ]
  const count = needs.reduce((sum, need) => sum + (need.count ?? 1), 0)
  return (
    <Shell
      title={isReady && failed === undefined ? (isMore ? m.home.moreNeeds(count) : m.home.needs(count)) : m.nav.home}
      place={m.nav.home}
      lede={summaryOf(day)}
    >
      {!isReady && <Skeleton />}
      {failed !== undefined && <ProblemPanel error={failed.error} retry={() => void failed.refetch()} />}
      {isReady && needs.length > 0 && (
        <ul className="panel needs">
          {needs.map((need) => (
            <li key={need.key} className="need">
              <span className={`gly ${need.tone}`}>
                <Icon name={need.icon} />
              </span>
              <div className="grow">
                <p className="b">{need.title}</p>
                {need.text !== null && <p className="t13 i2">{need.text}</p>}
              </div>
              <ButtonLink to={need.to}>{need.action}</ButtonLink>
            </li>
          ))}
        </ul>
      )}
      {children}
    </Shell>
  )
}

function summaryOf({ runs, waiting, moreWait, figures }: Day): string {
  const h = m.home
  const ran = figures === undefined ? h.ran(runs.length) : h.ended(number(figures.totals.executions))
  if (moreWait) return `${ran} ${h.manyWait}`
  const times = waiting.filter(({ waitsFor }) => waitsFor?.what === 'time').length
  const turns = waiting.filter(({ awaitsTurn }) => awaitsTurn).length
  const others = waiting.filter(({ state }) => state === 'waiting').length - times
  return `${ran} ${h.waits(others, times, turns)}`
}

function approvalNeeds(approvals: Reply<(typeof groups)['approvals']['list']>['data']): readonly Need[] {
  const same = { tone: 'wait', icon: 'people', to: '/approvals' } as const
  return cut(approvals, same, (approval) => ({
    ...same,
    key: approval.id,
    title: approval.title,
    text: (
      <>
        <AskingRun approval={approval} />
        {approval.deadlineAt === null ? m.home.asksYou : m.approvals.due} <Time at={approval.deadlineAt ?? approval.openedAt} kind="ago" />
      </>
    ),
    action: m.home.decide,
  }))
}

/** The first ones, and a last one that leads to the others. */
function cut<T>(all: readonly T[], rest: Pick<Need, 'tone' | 'icon' | 'to'>, needOf: (one: T) => Need): readonly Need[] {
  const count = all.length - shown
  const more = { ...rest, key: `more ${rest.to}`, title: m.home.more(count), text: null, action: m.home.seeAll, count }
  return [...all.slice(0, shown).map(needOf), ...(count > 0 ? [more] : [])]
}

/** Approvals of which every approver was removed: an administrator lets another person decide. */
function orphanNeeds(approvals: Reply<(typeof groups)['approvals']['list']>['data']): readonly Need[] {
  const same = { tone: 'bad', icon: 'people', to: '/approvals?for=unassigned' } as const
  return cut(approvals, same, (approval) => ({
    ...same,
    key: `orphan ${approval.id}`,
    title: approval.title,
    text: (
      <>
        <AskingRun approval={approval} />
        {m.home.undecidable}
      </>
    ),
    action: m.approvals.reassign,
  }))
}

function requestNeeds(requests: Reply<(typeof groups)['workflowDrafts']['publishRequests']>['data']): readonly Need[] {
  return cut(requests, { tone: 'wait', icon: 'flow', to: '/workflows' }, ({ workflowId, workflowName, request }) => ({
    key: `publish ${workflowId}`,
    tone: 'wait',
    icon: 'flow',
    title: m.home.asksToPublish(request.requestedByName ?? m.home.someone, workflowName),
    text: (
      <>
        {request.note !== null && <bdi>{request.note} · </bdi>}
        <Time at={request.requestedAt} kind="ago" />
      </>
    ),
    to: `/workflows/${workflowId}`,
    action: m.home.review,
  }))
}

function failingNeeds(failing: readonly Failing[]): readonly Need[] {
  return cut(failing, { tone: 'bad', icon: 'flow', to: '/runs?needsAttention=true' }, ({ last, failed, all, isPast }) => ({
    key: last.workflowId,
    tone: 'bad',
    icon: 'flow',
    title: (isPast ? m.home.failed : m.home.fails)(last.workflowName ?? ''),
    text: (
      <>
        <Link to={`/runs?workflowId=${last.workflowId}&needsAttention=true&period=today`}>
          {m.home.failedOf(number(failed), number(all))}
        </Link>
        {last.error !== undefined && ` · ${errorWords(last.error)}`}
      </>
    ),
    to: `/runs/${last.id}`,
    action: m.home.seeWhy,
  }))
}

function letterNeeds(letters: Reply<(typeof groups)['queue']['deadLetters']>['data']): readonly Need[] {
  const first = letters[0]
  if (first === undefined) return []
  return [
    {
      key: 'letters',
      tone: 'bad',
      icon: 'letter',
      title: m.home.letters(letters.length),
      text: first.reason,
      to: '/dead-letters',
      action: m.home.repair,
    },
  ]
}
