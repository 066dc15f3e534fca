import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { AffectedWorkflows } from '#src/patterns/affected-workflows.tsx'

/** The workflows that fail when this one is deleted, by name. */
export function Callers({ workflow }: { readonly workflow: string }) {
  const { data } = useQuery({
    queryKey: ['callers', workflow],
    queryFn: () => api.workflows.get({ params: { id: workflow }, query: { callers: 'true' } }),
    staleTime: 0,
  })
  const callers = data?.callers ?? []
  return callers.length === 0 ? null : <AffectedWorkflows title={m.editor.callers(callers.length)} workflows={callers} />
}
