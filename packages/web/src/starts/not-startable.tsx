import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'

/** Says that nothing starts a workflow, because it is not published, or disabled. */
export function NotStartable({ workflow }: { readonly workflow: string }) {
  const { data: state } = useQuery({
    queryKey: ['workflow', workflow, 'state'],
    queryFn: async () => (await api.workflows.get({ params: { id: workflow } })).state,
  })
  if (state === undefined || state === 'published') return null
  return (
    <p className="c-wait t13" role="status">
      {state === 'draft' ? m.starting.notPublished : m.starting.disabledWorkflow}
    </p>
  )
}
