import type { groups, Reply } from '@millrace/contract'
import type { ReactNode } from 'react'
import { m } from '#src/messages/messages.ts'
import type { Column } from '#src/patterns/list-page.tsx'
import { RunLabels } from '#src/run/run-labels.tsx'
import { RunStands } from '#src/run/run-stands.tsx'
import { StateMark, triggerWord, versionWord } from '#src/ui/badge.tsx'
import { shortId } from '#src/ui/id.tsx'
import { Time } from '#src/ui/time.tsx'
import { duration } from '#src/values/format.ts'

type Run = Reply<(typeof groups)['workflows']['executions']>['data'][number]
export type FoundRun = Reply<(typeof groups)['executions']['search']>['data'][number]

/** The columns of every list of runs; lists of several workflows say which one. */
export function runColumns<R extends Run | FoundRun>(workflow?: (run: R) => ReactNode): readonly Column<R>[] {
  return [
    {
      head: m.runs.state,
      phone: 'main',
      cell: (run) => (
        <>
          <StateMark state={run.state} />
          {workflow !== undefined && (
            <span className="run-note t12">
              <RunStands run={run} />
            </span>
          )}
        </>
      ),
    },
    ...(workflow === undefined ? [] : [aboutColumn(workflow)]),
    { head: m.runs.run, cell: ({ id }) => <bdi className="mono i2">{shortId(id)}</bdi> },
    {
      head: m.runs.stands,
      cut: true,
      ...(workflow === undefined ? { phone: 'below' as const } : {}),
      cell: (run) => (
        <>
          <RunStands run={run} />
          {workflow === undefined && <RunLabels labels={run.labels} />}
        </>
      ),
    },
    { head: m.runs.startedBy, spare: true, cell: ({ trigger }) => <span className="i2">{triggerWord(trigger)}</span> },
    { head: m.runs.version, spare: true, cell: ({ workflowVersion }) => <span className="i2 num">{versionWord(workflowVersion)}</span> },
    {
      head: m.runs.started,
      end: true,
      phone: 'side',
      cell: ({ createdAt }) => (
        <span className="i2">
          <Time at={createdAt} />
        </span>
      ),
    },
    { head: m.runs.took, end: true, phone: 'below-side', cell: (run) => <span className="num">{took(run)}</span> },
  ]
}

function aboutColumn<R extends Run | FoundRun>(workflow: (run: R) => ReactNode): Column<R> {
  return {
    head: m.runs.workflow,
    phone: 'below',
    cell: (run) => (
      <>
        {workflow(run)}
        <RunLabels labels={run.labels} />
      </>
    ),
  }
}

function took({ createdAt, endedAt }: Run | FoundRun): string {
  return endedAt === null ? '' : duration(Date.parse(endedAt) - Date.parse(createdAt))
}
