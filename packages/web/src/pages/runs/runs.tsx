import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { useWorkflowName } from '#src/api/workflow-names.ts'
import { m } from '#src/messages/messages.ts'
import { ListPage } from '#src/patterns/list-page.tsx'
import { PeriodFilter, queryOf } from '#src/patterns/period-filter.tsx'
import { SelectionBar, useSelection } from '#src/patterns/use-selection.tsx'
import { type BulkKind, BulkSheet } from '#src/run/bulk-sheet.tsx'
import { type FoundRun, runColumns } from '#src/run/run-columns.tsx'
import { useMay } from '#src/session/use-may.ts'
import { Button } from '#src/ui/button.tsx'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { Menu } from '#src/ui/menu.tsx'

const states = ['pending', 'running', 'waiting', 'suspended', 'completed', 'faulted', 'cancelled'] as const
const triggers = ['manual', 'schedule', 'webhook', 'event', 'watch', 'workflow', 'chain', 'retry', 'test'] as const

export function Page() {
  const r = m.runs
  const b = m.bulk
  const search: Readonly<Record<string, string>> = useSearch({ strict: false })
  const only = search['workflowId']
  const onlyName = useWorkflowName(only ?? '')
  const mayRun = useMay('executions:run')
  const mayControl = useMay('executions:control')
  const { chosen, boxes, clear } = useSelection<FoundRun>(({ id }) => id)
  const [asked, setAsked] = useState<{ readonly kind: BulkKind; readonly runs: readonly FoundRun[] | typeof search }>()
  return (
    <>
      <ListPage
        title={r.title}
        name="runs"
        above={<Views />}
        load={(query) => api.executions.search({ query: queryOf(query) })}
        id={({ id }) => id}
        href={({ id }) => `/runs/${id}`}
        refreshMs={10_000}
        actions={
          <>
            {mayControl && (
              <Menu
                label={b.all}
                text={b.all}
                icon="down"
                items={(['retry', 'cancel'] as const).map((kind) => ({
                  label: kind === 'retry' ? b.retryMany : b.cancelMany,
                  act: () => setAsked({ kind, runs: queryOf(search) }),
                }))}
              />
            )}
            {mayRun && (
              <ButtonLink to="/workflows" icon="play">
                {r.runOne}
              </ButtonLink>
            )}
          </>
        }
        {...(mayControl && { leading: boxes })}
        moreFilters={<PeriodFilter label={r.started} />}
        filters={[
          { name: 'q', label: r.find },
          ...(only === undefined ? [] : [{ name: 'workflowId', label: m.starting.workflow, options: [[only, onlyName ?? ''] as const] }]),
          ...(search['label'] === undefined ? [] : [{ name: 'label', label: r.label }]),
          { name: 'state', label: r.state, options: states.map((state) => [state, m.states[state]]) },
          { name: 'trigger', label: r.startedBy, options: triggers.map((kind) => [kind, m.triggers[kind]]) },
        ]}
        columns={runColumns<FoundRun>(({ workflowId, workflowName }) => (
          <Link to={`/workflows/${workflowId}`} className="quiet-link b">
            <bdi>{workflowName}</bdi>
          </Link>
        ))}
        empty={{
          title: r.emptyTitle,
          text: r.emptyText,
          action: mayRun && (
            <ButtonLink to="/workflows" look="primary">
              {r.runOne}
            </ButtonLink>
          ),
        }}
      />
      <SelectionBar count={chosen.length} clear={clear}>
        <Button size="sm" icon="retry" onClick={() => setAsked({ kind: 'retry', runs: chosen })}>
          {b.retryMany}
        </Button>
        <Button size="sm" onClick={() => setAsked({ kind: 'cancel', runs: chosen })}>
          {b.cancelMany}
        </Button>
      </SelectionBar>
      {asked !== undefined && (
        <BulkSheet
          kind={asked.kind}
          runs={asked.runs}
          onClose={() => {
            setAsked(undefined)
            clear()
          }}
        />
      )}
    </>
  )
}

/** The questions that people ask most. */
function Views() {
  const { state = '', needsAttention, period, from, to }: Readonly<Record<string, string | undefined>> = useSearch({ strict: false })
  const views = [
    [{}, m.runs.all],
    [{ needsAttention: 'true' }, m.runs.needLook],
    [{ state: 'waiting' }, m.runs.waiting],
    [{ state: 'running,pending' }, m.runs.now],
  ] as const
  const isShown = (view: { readonly state?: string; readonly needsAttention?: string }) =>
    (view.state ?? '') === state && view.needsAttention === needsAttention
  return (
    <nav className="tabs view-tabs" aria-label={m.runs.views}>
      {views.map(([view, label]) => (
        <Link
          key={label}
          to="/runs"
          search={{ ...view, period, from, to }}
          className={isShown(view) ? 'on' : ''}
          aria-current={isShown(view) ? 'page' : undefined}
          activeProps={{}}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
