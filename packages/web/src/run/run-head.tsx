import { m } from '#src/messages/messages.ts'
import { LapsedApprovals } from '#src/run/open-approvals.tsx'
import { RunActions } from '#src/run/run-actions.tsx'
import type { TaskState } from '#src/run/task-states.ts'
import type { RunApprovals } from '#src/run/use-run-approvals.ts'
import type { RunDetail } from '#src/run/use-run.ts'
import { WhyStopped } from '#src/run/why-stopped.tsx'
import { onDemand } from '#src/ui/on-demand.tsx'
import { Badge, StateMark, triggerWord, versionWord } from '#src/ui/badge.tsx'
import { duration, exactTime } from '#src/values/format.ts'

const WhereItWaits = onDemand(() => import('#src/run/where-it-waits.tsx').then((module) => module.WhereItWaits))
const RunLabels = onDemand(() => import('#src/run/run-labels.tsx').then((module) => module.RunLabels))
const Erased = onDemand(() => import('#src/run/erased.tsx').then((module) => module.Erased))
const Caused = onDemand(() => import('#src/run/caused.tsx').then((module) => module.Caused))

interface RunHeadProps {
  readonly run: RunDetail
  readonly title: string
  /** The page on which its workflow is changed. */
  readonly edited: string
  readonly live: boolean
  readonly states: ReadonlyMap<string, TaskState>
  /** The step of the flow that stands for a task. */
  readonly drawn: (reference: string) => string
  readonly approvals: RunApprovals
  readonly select: (reference: string) => void
}

/** The state of a run, what can be done with it, and what needs an explanation. */
export function RunHead({ run, title, edited, live, states, drawn, approvals, select }: RunHeadProps) {
  return (
    <>
      <header className="runhead">
        <h1 className="vh">{title}</h1>
        <StateMark state={run.state} />
        <span className="t13 i2 num grow">{factsOf(run)}</span>
        {live && run.endedAt === null && <Badge tone="race">{m.run.live}</Badge>}
        <RunActions run={run} />
      </header>
      <Labels run={run} />
      {run.state === 'pending' && run.turn !== undefined && <p className="notice-strip">{m.run.turn(run.turn.max, run.turn.ahead)}</p>}
      {run.state === 'waiting' && <WhereItWaits states={states} approvals={approvals.all} select={select} />}
      {run.erased !== undefined && <Erased erased={run.erased} />}
      {run.workflowVersion < 0 && <p className="notice-strip">{m.run.draftText}</p>}
      {run.error === undefined && <LapsedApprovals approvals={approvals.lapsed} />}
      {(run.state === 'faulted' || run.state === 'cancelled') && run.causedBy === undefined && <Caused run={run} />}
      {run.error !== undefined && <WhyStopped run={run} edited={edited} error={run.error} states={states} drawn={drawn} select={select} />}
    </>
  )
}

/** What the run is about, and why a declared label has no value. */
function Labels({ run: { labels, labelProblems } }: { readonly run: RunDetail }) {
  if (labels === undefined && labelProblems === undefined) return null
  return (
    <div className="runlabels">
      {labels !== undefined && <RunLabels labels={labels} />}
      {labelProblems?.map(({ name, problem }) => (
        <span key={name} className="t12 i2">
          {m.runs.noLabel(name, problem)}
        </span>
      ))}
    </div>
  )
}

function factsOf(run: RunDetail): string {
  const from = Date.parse(run.createdAt)
  const took = run.endedAt === null ? undefined : duration(Date.parse(run.endedAt) - from)
  return [exactTime(run.createdAt), took, versionWord(run.workflowVersion), m.run.startedBy(triggerWord(run.trigger))]
    .filter((part) => part !== undefined)
    .join(' · ')
}
