import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '#src/api/client.ts'
import { usePolling } from '#src/app/live-changes.ts'
import { keptReport, reportPath } from '#src/importing/kept-report.ts'
import { NeedsList, needsOf } from '#src/importing/needs-list.tsx'
import { Part } from '#src/editor/inspector/part.tsx'
import { m } from '#src/messages/messages.ts'
import { StateMark } from '#src/ui/badge.tsx'
import { Time } from '#src/ui/time.tsx'

const shownRuns = 4
/** A person selects and leaves steps often: each time a request would spend the rate limit. */
const freshMs = 30_000

/** Beside a flow of which no step is selected: what the workflow needs, its input and the settings of its runs, and how its last runs ended. */
export function NoStep({ workflow, runSettings }: { readonly workflow: string; readonly runSettings: ReactNode }) {
  const e = m.flowEditor
  const needs = useQuery({
    queryKey: ['requirements', workflow],
    staleTime: freshMs,
    queryFn: () => api.workflows.executionRequirements({ params: { id: workflow } }),
  })
  const refetchInterval = usePolling(10_000)
  const runs = useQuery({
    queryKey: ['runs.latest', workflow],
    refetchInterval,
    staleTime: freshMs,
    queryFn: () => api.workflows.executions({ params: { id: workflow }, query: { limit: shownRuns } }),
  })
  const required = needs.data === undefined ? [] : needsOf(needs.data)
  return (
    <aside className="step no-step" aria-label={e.thisWorkflow}>
      <p className="i2 t13">{e.nothing}</p>
      {keptReport(workflow) !== undefined && (
        <p className="t13">
          <Link to={reportPath(workflow)}>{m.importing.seeReport}</Link>
        </p>
      )}
      {required.length > 0 && (
        <Part title={e.needs}>
          <NeedsList needs={required} />
        </Part>
      )}
      {runSettings}
      {runs.data !== undefined && (
        <Part title={e.lastRuns}>
          {runs.data.data.length === 0 ? (
            <p className="i3 t13">{m.editor.noRuns}</p>
          ) : (
            <ul className="mini-l">
              {runs.data.data.map((run) => (
                <li key={run.id}>
                  <Link to={`/runs/${run.id}`} className="quiet-link">
                    <StateMark state={run.state} />
                  </Link>
                  <span className="sp" />
                  <span className="i3">
                    <Time at={run.createdAt} kind="ago" />
                  </span>
                </li>
              ))}
            </ul>
          )}
        </Part>
      )}
      <p className="i3 t12 no-step-keys">{e.keys}</p>
    </aside>
  )
}
