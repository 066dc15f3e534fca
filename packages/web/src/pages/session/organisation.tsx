import { Link, useSearch } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { keepFragment, localPath } from '#src/pages/session/fragment.ts'
import { Outside } from '#src/pages/session/outside.tsx'

/** Sign-in with the provider of an organisation, which the domain of the address names. */
export function Page() {
  const s = m.signInWays
  const { to }: { to?: string } = useSearch({ strict: false })
  const returnTo = `/sign-in/return?to=${encodeURIComponent(localPath(to))}`
  return (
    <Outside title={s.organisationTitle} lede={s.organisationLede}>
      <DataForm
        large
        initial={{ email: '' }}
        fields={[{ name: 'email', label: m.session.email, kind: 'email', required: true, autoFocus: true, autoComplete: 'username' }]}
        send={async ({ email }) => {
          const { authorizationUrl } = await api.auth.oidcLogin({ query: { email, returnTo } })
          keepFragment()
          location.assign(authorizationUrl)
        }}
        label={m.session.continue}
      />
      <p className="t13 i2">
        <Link to="/sign-in">{m.links.backToSignIn}</Link>
      </p>
    </Outside>
  )
}
