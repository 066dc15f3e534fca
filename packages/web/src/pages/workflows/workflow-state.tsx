import { m } from '#src/messages/messages.ts'
import { Badge } from '#src/ui/badge.tsx'

/** Whether a workflow can run, and whether its draft differs from what runs. */
export function WorkflowState({ state, changed }: { readonly state: 'draft' | 'published' | 'disabled'; readonly changed: boolean }) {
  if (state === 'disabled') return <Badge>{m.workflows.disabled}</Badge>
  if (state === 'draft') return <Badge tone="line">{m.workflows.draft}</Badge>
  return (
    <span className="row">
      <Badge tone="race">{m.workflows.published}</Badge>
      {changed && <Badge tone="line">{m.workflows.unpublished}</Badge>}
    </span>
  )
}
