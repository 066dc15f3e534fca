import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { WorkflowState } from '#src/pages/workflows/workflow-state.tsx'
import { ListPage } from '#src/patterns/list-page.tsx'
import { Badge, StateMark, triggerWord } from '#src/ui/badge.tsx'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { onDemand } from '#src/ui/on-demand.tsx'
import { Time } from '#src/ui/time.tsx'

/** A list that has workflows needs none. */
const Doors = onDemand(async () => (await import('#src/pages/home/doors.tsx')).Doors)

export function Page() {
  const w = m.workflows
  return (
    <ListPage
      title={w.title}
      name="workflows"
      load={(query) => api.workflows.list({ query })}
      id={({ id }) => id}
      href={({ id }) => `/workflows/${id}`}
      actions={
        <ButtonLink to="/new" look="primary" icon="plus">
          {w.create}
        </ButtonLink>
      }
      filters={[
        { name: 'q', label: w.find },
        {
          name: 'state',
          label: w.state,
          options: [
            ['draft', w.draft],
            ['published', w.published],
            ['disabled', w.disabled],
          ],
        },
      ]}
      columns={[
        {
          head: w.name,
          phone: 'main',
          cell: ({ name, tags }) => (
            <span className="row">
              <b className="b trunc">{name}</b>
              {tags.map((tag) => (
                <Badge key={tag} tone="line">
                  {tag}
                </Badge>
              ))}
            </span>
          ),
        },
        {
          head: w.state,
          phone: 'side',
          cell: ({ state, hasUnpublishedChanges }) => <WorkflowState state={state} changed={hasUnpublishedChanges} />,
        },
        {
          head: w.starts,
          cell: ({ triggers, startKinds }) => (
            <span className="i2">{[...new Set([...triggers, ...startKinds])].map(triggerWord).join(', ')}</span>
          ),
        },
        {
          head: w.last,
          phone: 'below',
          cell: ({ lastExecution }) =>
            lastExecution === null ? <span className="i3">{w.neverRan}</span> : <StateMark state={lastExecution.state} />,
        },
        { head: w.version, end: true, cell: ({ version }) => <span className="num i2">{version === null ? '' : `v${version}`}</span> },
        {
          head: w.changed,
          end: true,
          phone: 'below-side',
          cell: ({ updatedAt }) => (
            <span className="i2">
              <Time at={updatedAt} kind="ago" />
            </span>
          ),
        },
      ]}
      empty={{ title: w.emptyTitle, text: w.emptyText, action: <Doors /> }}
    />
  )
}
