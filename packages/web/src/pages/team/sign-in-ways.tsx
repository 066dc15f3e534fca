import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { Directory } from '#src/pages/team/directory.tsx'
import { Domains } from '#src/pages/team/domains.tsx'
import { OidcForm } from '#src/pages/team/oidc-form.tsx'
import type { Provider } from '#src/pages/team/provider.ts'
import { SamlForm } from '#src/pages/team/saml-form.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Page as Shell } from '#src/patterns/page.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { CopyButton } from '#src/ui/id.tsx'

/** How people of the account sign in: the provider of the organisation, and the domains whose people find it. */
export function Page() {
  const s = m.signInWays
  const query = useQuery({ queryKey: ['sign-in-providers'], queryFn: () => api.signInProviders.list({ query: {} }) })
  return (
    <Shell title={s.title} lede={s.lede} wide>
      <Loaded query={query}>
        {({ data }) => (
          <div className="cards2">
            <ProviderCard protocol="oidc" provider={data.find(({ protocol }) => protocol === 'oidc')} />
            <ProviderCard protocol="saml" provider={data.find(({ protocol }) => protocol === 'saml')} />
          </div>
        )}
      </Loaded>
      <div className="stack">
        <Domains />
        <Directory />
      </div>
    </Shell>
  )
}

interface ProviderCardProps {
  readonly protocol: 'oidc' | 'saml'
  readonly provider: Provider | undefined
}

function ProviderCard({ protocol, provider }: ProviderCardProps) {
  const s = m.signInWays
  const queries = useQueryClient()
  const { open, confirm, sheet } = useSheet()
  const changed = () => queries.invalidateQueries({ queryKey: ['sign-in-providers'] })
  const Form = protocol === 'oidc' ? OidcForm : SamlForm
  const edit = () => open(s.protocols[protocol], (close) => <Form provider={provider} done={() => changed().then(close)} />)
  const remove = () => confirm(s.remove, s.removeText, () => api.signInProviders.delete({ params: { protocol } }).then(changed))
  return (
    <section className="panel acard">
      <div className="row">
        <h2 className="t16 bb grow">{s.protocols[protocol]}</h2>
        <Badge tone={provider === undefined ? 'off' : 'ok'}>{provider === undefined ? m.security.off : m.security.on}</Badge>
      </div>
      {provider === undefined ? (
        <p className="t13 i2">{s.hints[protocol]}</p>
      ) : (
        <>
          <dl className="facts">
            <Fact label={s.name} value={provider.name} />
            <Fact label={s.issuer} value={provider.issuer} />
            <Fact label={s.newPeople} value={provider.provision ? m.team.roles[provider.defaultRole] : s.notCreated} />
          </dl>
          <p className="t13 row">
            <span className="wrap-any">
              {s.callback} <bdi className="mono">{provider.callbackUrl}</bdi>
            </span>
            <CopyButton text={provider.callbackUrl} />
          </p>
        </>
      )}
      <div className="row">
        <Button onClick={edit}>{provider === undefined ? s.set : m.common.edit}</Button>
        {provider !== undefined && (
          <Button look="quiet" onClick={remove}>
            {s.remove}
          </Button>
        )}
      </div>
      {sheet}
    </section>
  )
}

function Fact({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </div>
  )
}
