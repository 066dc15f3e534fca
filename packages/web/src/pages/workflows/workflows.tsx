import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { WorkflowState } from '#src/pages/workflows/workflow-state.tsx'
import type { ListedWorkflow, WorkflowBulkKind } from '#src/pages/workflows/bulk-sheet.tsx'
import { ListPage } from '#src/patterns/list-page.tsx'
import { SelectionBar, useSelection } from '#src/patterns/use-selection.tsx'
import { useMay } from '#src/session/use-may.ts'
import { Badge, StateMark, triggerWord } from '#src/ui/badge.tsx'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { Button } from '#src/ui/button.tsx'
import { Menu } from '#src/ui/menu.tsx'
import { onDemand } from '#src/ui/on-demand.tsx'
import { wordsOf } from '#src/ui/problem.tsx'
import { toast } from '#src/ui/toast.tsx'
import { Time } from '#src/ui/time.tsx'

const WorkflowBulkSheet = onDemand(async () => (await import('#src/pages/workflows/bulk-sheet.tsx')).WorkflowBulkSheet)

/** A list that has workflows needs none. */
const Doors = onDemand(async () => (await import('#src/pages/home/doors.tsx')).Doors)

export function Page() {
  const w = m.workflows
  const navigate = useNavigate()
  const mayChange = useMay('workflows:write')
  const { chosen, boxes, clear } = useSelection<ListedWorkflow>(({ name }) => name)
  const [asked, setAsked] = useState<WorkflowBulkKind>()
  const tags = useQuery({ queryKey: ['workflows', 'tags'], queryFn: () => api.workflows.tags() }).data?.data ?? []
  const duplicate = async (id: string) => {
    const copy = await api.workflows.duplicate({ params: { id }, body: {} })
    await navigate({ to: `/workflows/${copy.id}` })
  }
  return (
    <>
      <ListPage
        title={w.title}
        name="workflows"
        load={(query) => api.workflows.list({ query })}
        id={({ id }) => id}
        href={({ id }) => `/workflows/${id}`}
        actions={
          mayChange && (
            <ButtonLink to="/new" look="primary" icon="plus">
              {w.create}
            </ButtonLink>
          )
        }
        filters={[
          { name: 'q', label: w.find },
          ...(tags.length === 0
            ? []
            : [{ name: 'tag', label: w.tag, options: tags.map(({ tag, workflows }) => [tag, `${tag} (${workflows})`] as const) }]),
          {
            name: 'state',
            label: w.state,
            options: [
              ['draft', w.draft],
              ['published', w.published],
              ['disabled', w.disabled],
            ],
          },
          {
            name: 'sort',
            label: w.order,
            unchosen: w.orders.created,
            options: [
              ['name', w.orders.name],
              ['lastExecution', w.orders.lastExecution],
            ],
          },
        ]}
        {...(mayChange && { leading: boxes })}
        columns={[
          {
            head: w.name,
            phone: 'main',
            cell: ({ name }) => <bdi className="b">{name}</bdi>,
          },
          ...(tags.length === 0 ? [] : [{ head: w.tags, cut: true, cell: TagsOf }]),
          {
            head: w.state,
            phone: 'side',
            cell: ({ state, hasUnpublishedChanges }) => <WorkflowState state={state} changed={hasUnpublishedChanges} />,
          },
          {
            head: w.starts,
            spare: true,
            cell: ({ triggers, startKinds }) => (
              <span className="i2">{[...new Set([...triggers, ...startKinds])].map(triggerWord).join(', ')}</span>
            ),
          },
          {
            head: w.last,
            phone: 'below',
            cell: LastRun,
          },
          {
            head: w.version,
            end: true,
            spare: true,
            cell: ({ version }) => <span className="num i2">{version === null ? '' : `v${version}`}</span>,
          },
          {
            head: w.changed,
            end: true,
            cell: ({ updatedAt }) => (
              <span className="i2">
                <Time at={updatedAt} kind="ago" />
              </span>
            ),
          },
          ...(mayChange
            ? [
                {
                  head: m.common.actions,
                  end: true,
                  phone: 'end' as const,
                  cell: ({ id, name }: ListedWorkflow) => (
                    <Menu
                      label={`${m.common.actions}: ${name}`}
                      items={[
                        {
                          label: w.duplicate,
                          icon: 'copy',
                          act: () => void duplicate(id).catch((error: unknown) => toast(wordsOf(error).detail, 'faulted')),
                        },
                      ]}
                    />
                  ),
                },
              ]
            : []),
        ]}
        empty={
          mayChange ? { title: w.emptyTitle, text: w.emptyText, action: <Doors /> } : { title: m.making.none, text: m.making.notYours }
        }
      />
      <SelectionBar count={chosen.length} clear={clear}>
        {bulkKinds.map((kind) => (
          <Button key={kind} size="sm" onClick={() => setAsked(kind)}>
            {w.bulk.kinds[kind]}
          </Button>
        ))}
      </SelectionBar>
      {asked !== undefined && (
        <WorkflowBulkSheet
          kind={asked}
          workflows={chosen}
          onClose={() => {
            setAsked(undefined)
            clear()
          }}
        />
      )}
    </>
  )
}

/** How the last run ended and when it began; on a phone, which has no column for it, when one that never ran was changed. */
function LastRun({ lastExecution, updatedAt }: ListedWorkflow) {
  const w = m.workflows
  if (lastExecution !== null)
    return (
      <>
        <StateMark state={lastExecution.state} />{' '}
        <span className="i3">
          <Time at={lastExecution.createdAt} kind="ago" />
        </span>
      </>
    )
  return (
    <span className="i3">
      {w.neverRan}{' '}
      <span className="cell-label">
        {`· ${w.changed} `}
        <Time at={updatedAt} kind="ago" />
      </span>
    </span>
  )
}

const bulkKinds = ['tag', 'enable', 'disable', 'delete'] as const
const tagsShown = 3

/** The first tags of a workflow; each leads to the workflows that have it. */
function TagsOf({ tags }: ListedWorkflow) {
  return (
    <span className="row tag-row">
      {tags.slice(0, tagsShown).map((tag) => (
        <Link key={tag} to="/workflows" search={{ tag }} className="quiet-link" title={tag}>
          <Badge tone="line">{tag}</Badge>
        </Link>
      ))}
      {tags.length > tagsShown && <span className="t12 i3" title={tags.slice(tagsShown).join(', ')}>{`+${tags.length - tagsShown}`}</span>}
    </span>
  )
}
