import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { provisioningBody, provisioningFields, provisioningOf } from '#src/pages/team/provisioning.ts'
import type { Provider } from '#src/pages/team/provider.ts'
import { toast } from '#src/ui/toast.tsx'

interface ProviderFormProps {
  readonly provider: Provider | undefined
  readonly done: () => Promise<unknown>
}

/** Sets the OpenID Connect provider; the server reads its configuration before it stores anything. */
export function OidcForm({ provider, done }: ProviderFormProps) {
  const s = m.signInWays
  return (
    <DataForm
      initial={{
        name: provider?.name ?? '',
        issuer: provider?.issuer ?? '',
        clientId: provider?.clientId ?? '',
        clientSecret: '',
        ...provisioningOf(provider),
      }}
      fields={[
        { name: 'name', label: s.name, required: true, autoFocus: true, hint: s.nameHint },
        { name: 'issuer', label: s.issuer, kind: 'url', required: true, placeholder: 'https://login.example.com' },
        { name: 'clientId', label: s.clientId, required: true },
        { name: 'clientSecret', label: s.clientSecret, kind: 'password', hint: provider === undefined ? s.secretHint : s.secretKeep },
        ...provisioningFields(),
      ]}
      send={async ({ name, issuer, clientId, clientSecret, ...rest }) => {
        const secret = clientSecret === '' ? {} : { clientSecret }
        await api.signInProviders.putOidc({ body: { name, issuer, clientId, ...secret, ...provisioningBody(rest) } })
        toast(m.common.saved)
        await done()
      }}
      label={m.common.save}
    />
  )
}
