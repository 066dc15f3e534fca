import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { AffectedWorkflows } from '#src/patterns/affected-workflows.tsx'
import { useMay } from '#src/session/use-may.ts'
import { WhatStarts } from '#src/starts/what-starts.tsx'

/** What the deletion of a workflow concerns: workflows that fail or start no more, by name, and runs that have not begun. */
export function Callers({ workflow }: { readonly workflow: string }) {
  const { data } = useQuery({
    queryKey: ['callers', workflow],
    queryFn: () => api.workflows.get({ params: { id: workflow }, query: { callers: 'true' } }),
    staleTime: 0,
  })
  const mayStarts = useMay('triggers:read')
  const starts = useQuery({
    queryKey: ['starts', workflow],
    enabled: mayStarts,
    queryFn: () => api.triggers.ofWorkflow({ params: { workflowId: workflow }, query: { limit: 100 } }),
  })
  const own = starts.data?.data ?? []
  const { callers = [], followers = [], awaitingTurns = 0 } = data ?? {}
  return (
    <>
      {own.length > 0 && (
        <section>
          <h3 className="t13 b">{m.editor.ownStarts(own.length)}</h3>
          <ul className="needs-list">
            {own.map((one) => (
              <li key={one.id} className="row wrap">
                <bdi className="b">{one.name}</bdi>
                <span className="i2">
                  <WhatStarts trigger={one} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {callers.length > 0 && <AffectedWorkflows title={m.editor.callers(callers.length)} workflows={callers} />}
      {followers.length > 0 && <AffectedWorkflows title={m.editor.followers(followers.length)} workflows={followers} />}
      {awaitingTurns > 0 && <p className="t13">{m.editor.awaitingTurns(awaitingTurns)}</p>}
    </>
  )
}
