import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { AffectedWorkflows } from '#src/patterns/affected-workflows.tsx'

/** What the deletion of a workflow concerns: workflows that fail or start no more, by name, and runs that have not begun. */
export function Callers({ workflow }: { readonly workflow: string }) {
  const { data } = useQuery({
    queryKey: ['callers', workflow],
    queryFn: () => api.workflows.get({ params: { id: workflow }, query: { callers: 'true' } }),
    staleTime: 0,
  })
  const { callers = [], followers = [], awaitingTurns = 0 } = data ?? {}
  return (
    <>
      {callers.length > 0 && <AffectedWorkflows title={m.editor.callers(callers.length)} workflows={callers} />}
      {followers.length > 0 && <AffectedWorkflows title={m.editor.followers(followers.length)} workflows={followers} />}
      {awaitingTurns > 0 && <p className="t13">{m.editor.awaitingTurns(awaitingTurns)}</p>}
    </>
  )
}
