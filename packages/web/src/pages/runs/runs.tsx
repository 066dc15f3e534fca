import { Link, useSearch } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { ListPage } from '#src/patterns/list-page.tsx'
import { type FoundRun, runColumns } from '#src/run/run-columns.tsx'
import { ButtonLink } from '#src/ui/button.tsx'

const states = ['pending', 'running', 'waiting', 'suspended', 'completed', 'faulted', 'cancelled'] as const
const triggers = ['manual', 'schedule', 'webhook', 'event', 'watch', 'workflow', 'chain', 'retry', 'test'] as const

export function Page() {
  const r = m.runs
  return (
    <ListPage
      title={r.title}
      name="runs"
      above={<Views />}
      load={(query) => api.executions.search({ query })}
      id={({ id }) => id}
      href={({ id }) => `/runs/${id}`}
      refreshMs={10_000}
      actions={
        <ButtonLink to="/workflows" icon="play">
          {r.runOne}
        </ButtonLink>
      }
      filters={[
        { name: 'q', label: r.find },
        { name: 'state', label: r.state, options: states.map((state) => [state, m.states[state]]) },
        { name: 'trigger', label: r.startedBy, options: triggers.map((kind) => [kind, m.triggers[kind]]) },
      ]}
      columns={runColumns<FoundRun>(({ workflowId, workflowName }) => (
        <Link to={`/workflows/${workflowId}`} className="quiet-link b">
          {workflowName}
        </Link>
      ))}
      empty={{
        title: r.emptyTitle,
        text: r.emptyText,
        action: (
          <ButtonLink to="/workflows" look="primary">
            {r.runOne}
          </ButtonLink>
        ),
      }}
    />
  )
}

/** The questions that people ask most. */
function Views() {
  const { state = '' }: { state?: string } = useSearch({ strict: false })
  const views = [
    ['', m.runs.all],
    ['faulted', m.runs.needLook],
    ['waiting', m.runs.waiting],
    ['running,pending', m.runs.now],
  ] as const
  return (
    <nav className="tabs view-tabs" aria-label={m.runs.views}>
      {views.map(([value, label]) => (
        <Link
          key={value}
          to="/runs"
          search={value === '' ? {} : { state: value }}
          className={state === value ? 'on' : ''}
          aria-current={state === value ? 'page' : undefined}
          activeProps={{}}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
