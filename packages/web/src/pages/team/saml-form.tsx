import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { provisioningBody, provisioningFields, provisioningOf } from '#src/pages/team/provisioning.ts'
import type { Provider } from '#src/pages/team/provider.ts'
import { CopyButton } from '#src/ui/id.tsx'
import { toast } from '#src/ui/toast.tsx'

interface ProviderFormProps {
  readonly provider: Provider | undefined
  readonly done: () => Promise<unknown>
}

/** Sets the SAML provider by its metadata, and shows what it has to know about this installation. */
export function SamlForm({ provider, done }: ProviderFormProps) {
  const s = m.signInWays
  const own = useQuery({ queryKey: ['saml'], queryFn: () => api.auth.samlMetadata({ query: {} }) })
  return (
    <DataForm
      initial={{ name: provider?.name ?? '', metadata: '', emailAttribute: '', ...provisioningOf(provider) }}
      before={
        own.data !== undefined && (
          <div className="t13 i2">
            <p className="row">
              <span className="wrap-any">
                {s.entityId} <bdi className="mono">{own.data.entityId}</bdi>
              </span>
              <CopyButton text={own.data.entityId} />
            </p>
            <p className="row">
              <span className="wrap-any">
                ACS <bdi className="mono">{own.data.acsUrl}</bdi>
              </span>
              <CopyButton text={own.data.acsUrl} />
            </p>
          </div>
        )
      }
      fields={[
        { name: 'name', label: s.name, required: true, autoFocus: true, hint: s.nameHint },
        { name: 'metadata', label: s.metadata, kind: 'code', rows: 8, required: true, hint: s.metadataHint },
        { name: 'emailAttribute', label: s.emailAttribute, hint: s.emailAttributeHint },
        ...provisioningFields(),
      ]}
      send={async ({ name, metadata, emailAttribute, ...rest }) => {
        const attribute = emailAttribute.trim() === '' ? {} : { emailAttribute: emailAttribute.trim() }
        await api.signInProviders.putSaml({ body: { name, metadata, ...attribute, ...provisioningBody(rest) } })
        toast(m.common.saved)
        await done()
      }}
      label={m.common.save}
    />
  )
}
