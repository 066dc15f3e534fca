import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Button } from '#src/ui/button.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { Time } from '#src/ui/time.tsx'

/** The external identities by which this person signs in. */
export function Identities() {
  const s = m.signInWays
  const queries = useQueryClient()
  const { confirm, sheet } = useSheet()
  const query = useQuery({ queryKey: ['identities'], queryFn: () => api.auth.identities({ query: {} }) })
  const unlink = (provider: string) =>
    confirm(s.unlink, s.unlinkText, () =>
      api.auth.unlinkIdentity({ params: { provider } }).then(() => queries.invalidateQueries({ queryKey: ['identities'] })),
    )
  if (query.isError) return <ProblemPanel error={query.error} retry={() => void query.refetch()} />
  const linked = query.data?.data ?? []
  if (linked.length === 0) return null
  return (
    <section className="panel acard">
      <h2 className="t16">{s.identities}</h2>
      <p className="t13 i2">{s.identitiesText}</p>
      <ul className="mini-l">
        {linked.map(({ provider, name, email, lastUsedAt }) => (
          <li key={provider}>
            <span className="trunc">
              {name} <bdi className="i3">{email ?? ''}</bdi>
            </span>
            <span className="t12 i3">
              <Time at={lastUsedAt} kind="ago" />
            </span>
            <Button size="sm" look="quiet" onClick={() => unlink(provider)}>
              {s.unlink}
            </Button>
          </li>
        ))}
      </ul>
      {sheet}
    </section>
  )
}
