import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { useFirstWorkflow } from '#src/api/use-first-workflow.ts'
import { Field } from '#src/forms/field.tsx'
import { m } from '#src/messages/messages.ts'
import { NotStartable } from '#src/starts/not-startable.tsx'
import { AddStart } from '#src/starts/starts.tsx'
import type { StartActions } from '#src/starts/use-start-actions.tsx'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

/** Asks which workflow, then which kind of start. It begins with the newest one that is published, and with none if all are drafts. */
export function NewStart({ actions }: { readonly actions: StartActions }) {
  const s = m.starting
  const first = useFirstWorkflow()
  const newest = useQuery({
    queryKey: ['workflows', 'newest published'],
    queryFn: () => api.workflows.list({ query: { state: 'published', limit: 1 } }),
  })
  const [chosen, setChosen] = useState<string>()
  if (first === undefined || newest.isPending) return <Skeleton rows={2} />
  if (first === null)
    return (
      <div className="form">
        <p>{s.noWorkflows}</p>
        <div className="row">
          <ButtonLink to="/new" look="primary">
            {m.workflows.create}
          </ButtonLink>
        </div>
      </div>
    )
  const workflow = chosen ?? newest.data?.data[0]?.id
  return (
    <div className="form">
      <Field
        spec={{ name: 'workflow', label: s.workflow, kind: 'workflow', required: true }}
        value={workflow ?? ''}
        error={undefined}
        onChange={(value) => setChosen(String(value))}
      />
      {workflow !== undefined && (
        <>
          <NotStartable workflow={workflow} />
          <p className="lbl">{s.by}</p>
          <div className="row wrap">
            <AddStart workflow={workflow} actions={actions} />
          </div>
        </>
      )}
    </div>
  )
}
