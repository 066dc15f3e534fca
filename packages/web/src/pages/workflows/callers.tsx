import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'

/** The workflows that fail when this one is deleted, by name. */
export function Callers({ workflow }: { readonly workflow: string }) {
  const { data } = useQuery({
    queryKey: ['callers', workflow],
    queryFn: () => api.workflows.get({ params: { id: workflow }, query: { callers: 'true' } }),
    staleTime: 0,
  })
  const callers = data?.callers ?? []
  if (callers.length === 0) return null
  return (
    <section>
      <h3 className="t13 b">{m.editor.callers(callers.length)}</h3>
      <ul className="needs-list">
        {callers.map(({ id, name, managedBy }) => (
          <li key={id} className="row wrap">
            <bdi className="b">{name}</bdi>
            {managedBy !== null && <span className="i2">{m.editor.callerKinds[managedBy]}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}
