import { Link } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { NewStart } from '#src/pages/triggers/new-start.tsx'
import { ListPage } from '#src/patterns/list-page.tsx'
import { WorkflowName } from '#src/patterns/workflow-name.tsx'
import { StartBadges } from '#src/starts/start-badges.tsx'
import { LastFired } from '#src/starts/starts.tsx'
import { useStartActions } from '#src/starts/use-start-actions.tsx'
import { StartIcon, WhatStarts } from '#src/starts/what-starts.tsx'
import { Button } from '#src/ui/button.tsx'
import { Menu } from '#src/ui/menu.tsx'

const kinds = ['schedule', 'webhook', 'event', 'watch', 'manual'] as const

/** The starts of all workflows. */
export function Page() {
  const s = m.starting
  const actions = useStartActions()
  const add = actions.mayChange ? (
    <Button look="primary" icon="plus" onClick={() => actions.open(s.create, () => <NewStart actions={actions} />)}>
      {s.create}
    </Button>
  ) : undefined
  return (
    <>
      <ListPage
        title={m.starts.title}
        lede={s.lede}
        name="starts"
        refreshMs={30_000}
        load={(query) => api.triggers.list({ query })}
        id={({ id }) => id}
        href={({ id }) => `/triggers/${id}`}
        actions={add}
        filters={[
          { name: 'kind', label: s.kind, options: kinds.map((kind) => [kind, m.triggers[kind]]) },
          {
            name: 'enabled',
            label: s.state,
            options: [
              ['true', s.on],
              ['false', m.starts.paused],
            ],
          },
        ]}
        columns={[
          {
            head: m.workflows.name,
            phone: 'main',
            cell: (one) => (
              <span className="row">
                <StartIcon trigger={one} />
                <bdi className="b trunc">{one.name}</bdi>
              </span>
            ),
          },
          {
            head: s.starts,
            phone: 'foot',
            cell: ({ workflowId }) => (
              <Link to={`/workflows/${workflowId}`} className="quiet-link">
                <WorkflowName id={workflowId} />
              </Link>
            ),
          },
          { head: s.when, phone: 'below', cell: (one) => <span className="i2">{<WhatStarts trigger={one} />}</span> },
          {
            head: s.state,
            phone: 'side',
            cell: (one) => (
              <span className="row">
                <input
                  type="checkbox"
                  role="switch"
                  className="switch"
                  aria-label={`${s.on}: ${one.name}`}
                  checked={one.enabled}
                  disabled={!actions.mayChange}
                  onChange={() => actions.toggle(one)}
                />
                {one.failures > 0 && <span className="t12 c-bad">{s.failures(one.failures)}</span>}
                {one.origin === 'definition' && <StartBadges trigger={{ ...one, enabled: true }} />}
              </span>
            ),
          },
          { head: s.last, end: true, phone: 'foot-side', cell: (one) => <LastFired trigger={one} /> },
          {
            head: m.common.actions,
            end: true,
            phone: 'end',
            cell: (one) => <Menu label={`${m.common.actions}: ${one.name}`} items={actions.items(one)} />,
          },
        ]}
        empty={{ title: s.emptyTitle, text: s.emptyText, action: add }}
      />
      {actions.sheet}
    </>
  )
}
