import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { m } from '#src/messages/messages.ts'
import { localPath } from '#src/pages/session/fragment.ts'
import { PasskeyButton } from '#src/session/passkey-button.tsx'
import { signInMethods } from '#src/session/session.ts'

/** The ways in beside the password, as far as this installation offers them. */
export function OtherWays({ to, byPasskey }: { readonly to: string; readonly byPasskey: () => Promise<unknown> }) {
  const { data } = useQuery({ queryKey: ['session.methods'], queryFn: signInMethods, staleTime: Number.POSITIVE_INFINITY })
  if (data === undefined) return null
  const back = `/sign-in/return?to=${encodeURIComponent(localPath(to))}`
  return (
    <>
      {data.passkey && <PasskeyButton large use={byPasskey} />}
      {data.providers.map(({ id, name, url }) => (
        <a key={id} className="btn lg" href={`${url}${url.includes('?') ? '&' : '?'}returnTo=${encodeURIComponent(back)}`}>
          {m.links.withProvider(name)}
        </a>
      ))}
      <p className="t13">
        <Link to="/sign-in/organisation" search={{ to: localPath(to) }}>
          {m.signInWays.organisation}
        </Link>
      </p>
      {data.passwordReset && (
        <p className="t13">
          <Link to="/sign-in/forgot">{m.links.forgot}</Link>
        </p>
      )}
      {data.magicLink && (
        <p className="t13">
          <Link to="/sign-in/link">{m.links.byLink}</Link>
        </p>
      )}
    </>
  )
}
