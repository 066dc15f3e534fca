import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { useMay } from '#src/session/use-may.ts'
import { Button } from '#src/ui/button.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { toast } from '#src/ui/toast.tsx'

/** Says that nothing starts a workflow, because it is not published, or disabled, with the button that changes it. */
export function NotStartable({ workflow }: { readonly workflow: string }) {
  const queries = useQueryClient()
  const mayChange = useMay('workflows:write')
  const { data } = useQuery({
    queryKey: ['workflow', workflow, 'state'],
    queryFn: async () => {
      const { state, revision, publishing } = await api.workflows.get({ params: { id: workflow } })
      return { state, revision, isAllowed: publishing?.allowed !== false, isAsked: publishing?.request?.isCurrent === true }
    },
  })
  const change = useMutation({
    mutationFn: async ({ state, revision, isAllowed }: NonNullable<typeof data>) => {
      if (!isAllowed) {
        await api.workflowDrafts.askToPublish({ params: { id: workflow }, body: {} })
        return
      }
      const body = state === 'draft' ? { publish: true, note: m.flowEditor.firstVersion } : { enabled: true }
      const { version } = await api.workflows.update({ params: { id: workflow }, body }, { ifMatch: revision })
      if (state === 'draft') toast(m.editor.published(version ?? 1))
    },
    onSettled: () =>
      queries.invalidateQueries({
        predicate: ({ queryKey: [first, id] }) => first === 'workflows' || (first === 'workflow' && id === workflow),
      }),
  })
  if (data === undefined || data.state === 'published') return null
  const { state, isAllowed, isAsked } = data
  const canAct = mayChange && (isAllowed || (state === 'draft' && !isAsked))
  return (
    <>
      <div className="notice-strip row wrap" role="status">
        <span className="grow">{state === 'draft' ? m.starting.notPublished : m.starting.disabledWorkflow}</span>
        {canAct && (
          <Button size="sm" busy={change.isPending} onClick={() => change.mutate(data)}>
            {state === 'disabled' ? m.editor.enable : isAllowed ? m.editor.publish : m.flowEditor.asking.ask}
          </Button>
        )}
        {state === 'draft' && isAsked && <span className="i2">{m.starting.asked}</span>}
      </div>
      {change.isError && (
        <>
          <ProblemPanel error={change.error} />
          <p className="t13">
            <Link to={`/workflows/${workflow}`}>{m.starting.openEditor}</Link>
          </p>
        </>
      )}
    </>
  )
}
