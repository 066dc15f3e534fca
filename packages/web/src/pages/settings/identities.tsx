import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { signInMethods } from '#src/session/session.ts'
import { Button } from '#src/ui/button.tsx'
import { ProblemPanel, wordsOf } from '#src/ui/problem.tsx'
import { toast } from '#src/ui/toast.tsx'
import { Time } from '#src/ui/time.tsx'

const linkable = ['loginone', 'logintwo', 'oidc', 'saml'] as const

/** The external identities by which this person signs in. */
export function Identities() {
  const s = m.signInWays
  const queries = useQueryClient()
  const { confirm, sheet } = useSheet()
  const query = useQuery({ queryKey: ['identities'], queryFn: () => api.auth.identities({ query: {} }) })
  const methods = useQuery({ queryKey: ['session.methods'], queryFn: signInMethods, staleTime: Number.POSITIVE_INFINITY })
  const unlink = (provider: string) =>
    confirm(s.unlink, s.unlinkText, () =>
      api.auth.unlinkIdentity({ params: { provider } }).then(() => queries.invalidateQueries({ queryKey: ['identities'] })),
    )
  if (query.isError) return <ProblemPanel error={query.error} retry={() => void query.refetch()} />
  const linked = query.data?.data ?? []
  const offered = linkable
    .flatMap((kind) => methods.data?.providers.filter(({ id }) => id === kind).map(({ name }) => [kind, name] as const) ?? [])
    .filter(([kind]) => !linked.some(({ provider }) => provider === kind))
  if (linked.length === 0 && offered.length === 0) return null
  const link = (provider: (typeof linkable)[number]) =>
    api.auth
      .linkIdentity({ body: { provider, returnTo: '/sign-in/return?to=/settings/security' } })
      .then(({ authorizationUrl }) => location.assign(authorizationUrl))
      .catch((error: unknown) => toast(wordsOf(error).detail, 'faulted'))
  return (
    <section className="panel acard">
      <h2 className="t16">{s.identities}</h2>
      <p className="t13 i2">{linked.length === 0 ? m.linking.text : s.identitiesText}</p>
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
      {offered.length > 0 && (
        <div className="row wrap">
          {offered.map(([kind, name]) => (
            <Button key={kind} icon="plus" onClick={() => void link(kind)}>
              {m.linking.link(name)}
            </Button>
          ))}
        </div>
      )}
      {sheet}
    </section>
  )
}
