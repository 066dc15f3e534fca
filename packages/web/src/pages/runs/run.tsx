import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { api } from '#src/api/client.ts'
import { Crumbs } from '#src/app/crumbs.tsx'
import { ApprovalCard } from '#src/approvals/approval-card.tsx'
import { type OutlineEntry, outlineOf } from '#src/flow/outline.ts'
import { m } from '#src/messages/messages.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import { RunActions } from '#src/run/run-actions.tsx'
import { RunCase } from '#src/run/run-case.tsx'
import { RunFlow } from '#src/run/run-flow.tsx'
import { taskStates } from '#src/run/task-states.ts'
import { type RunDetail, useRun } from '#src/run/use-run.ts'
import { WhyStopped } from '#src/run/why-stopped.tsx'
import { Badge, StateMark, triggerWord } from '#src/ui/badge.tsx'
import { shortId } from '#src/ui/id.tsx'
import { duration, exactTime } from '#src/values/format.ts'

export function Page() {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const run = useQuery({
    queryKey: ['run', id],
    queryFn: () => api.workflows.execution({ params: { executionId: id }, query: { limit: 1 } }),
  })
  return <Loaded query={run}>{(detail) => <Run key={id} detail={detail} />}</Loaded>
}

function Run({ detail }: { readonly detail: RunDetail }) {
  const { entries, summary, live } = useRun(detail.id)
  const run = { ...detail, ...summary }
  const workflow = useQuery({
    queryKey: ['workflow', detail.workflowId, detail.workflowVersion],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => api.workflows.get({ params: { id: detail.workflowId }, query: { version: detail.workflowVersion } }),
  })
  const outline = useMemo(() => outlineOf(workflow.data?.definition), [workflow.data])
  const states = useMemo(() => taskStates(entries), [entries])
  const [chosen, setChosen] = useState<string>()
  const selected = chosen ?? defaultSelection(run, states)
  const task = selected === undefined ? undefined : states.get(selected)
  const name = workflow.data?.name ?? ''
  return (
    <div className="run-page">
      <Crumbs title={`${name} ${shortId(run.id)}`}>
        <Link to="/runs">{m.nav.runs}</Link> <span className="i3">/</span> <Link to={`/workflows/${run.workflowId}`}>{name}</Link>{' '}
        <bdi className="mono i2">{shortId(run.id)}</bdi>
      </Crumbs>
      <header className="runhead">
        <h1 className="vh">{`${name} ${shortId(run.id)}`}</h1>
        <StateMark state={run.state} />
        <span className="t13 i2 num grow">{factsOf(run)}</span>
        {live && run.endedAt === null && <Badge tone="race">{m.run.live}</Badge>}
        <RunActions run={run} />
      </header>
      {run.error !== undefined && <WhyStopped error={run.error} states={states} workflowId={run.workflowId} select={setChosen} />}
      <div className="run-cols">
        <div className="rflow">
          <OpenApprovals run={run.id} waiting={run.state === 'waiting'} />
          <RunFlow outline={outline} states={states} run={run} selected={selected} onSelect={setChosen} />
        </div>
        <RunCase
          run={run}
          entries={entries}
          selected={selected}
          task={task}
          kindOf={(reference) => kindOf(outline, reference)}
          onSelect={setChosen}
        />
      </div>
    </div>
  )
}

function OpenApprovals({ run, waiting }: { readonly run: string; readonly waiting: boolean }) {
  const approvals = useQuery({
    queryKey: ['run.approvals', run],
    queryFn: () => api.approvals.ofExecution({ params: { executionId: run }, query: { state: 'open' } }),
    enabled: waiting,
  })
  if (!waiting) return null
  return approvals.data?.data.map((approval) => <ApprovalCard key={approval.id} approval={approval} />)
}

function factsOf(run: RunDetail): string {
  const from = Date.parse(run.createdAt)
  const took = run.endedAt === null ? undefined : duration(Date.parse(run.endedAt) - from)
  return [exactTime(run.createdAt), took, `v${run.workflowVersion}`, triggerWord(run.trigger)]
    .filter((part) => part !== undefined)
    .join(' · ')
}

/** What a reader wants to see first: what failed, what waits, what runs. */
function defaultSelection(run: RunDetail, states: ReturnType<typeof taskStates>): string | undefined {
  const leaf = [...states].findLast(
    ([, { last, state }]) => !['do', 'for', 'fork', 'try'].includes(last.kind) && ['faulted', 'waiting', 'running'].includes(state),
  )
  return run.state === 'completed' ? undefined : leaf?.[0]
}

function kindOf(outline: readonly OutlineEntry[], reference: string): string {
  for (const entry of outline) {
    if (entry.reference === reference) return entry.kind
    for (const block of entry.blocks) {
      const found = kindOf(block.entries, reference)
      if (found !== '') return found
    }
  }
  return ''
}
