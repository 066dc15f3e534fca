import { m } from '#src/messages/messages.ts'
import { FirstLink } from '#src/pages/session/first-link.tsx'
import { keepFragment, localPath } from '#src/pages/session/fragment.ts'
import { PasskeyButton } from '#src/session/passkey-button.tsx'
import { useSignInMethods } from '#src/session/use-sign-in-methods.ts'

/** The ways in beside the password, as far as this installation offers them. */
export function OtherWays({ to, byPasskey }: { readonly to: string; readonly byPasskey: () => Promise<unknown> }) {
  const data = useSignInMethods()
  if (data === undefined) return null
  const back = `/sign-in/return?to=${encodeURIComponent(localPath(to))}`
  return (
    <>
      {data.passkey && <PasskeyButton large use={byPasskey} />}
      {data.providers.map(({ id, name, url }) => (
        <a
          key={id}
          className="btn lg"
          href={`${url}${url.includes('?') ? '&' : '?'}returnTo=${encodeURIComponent(back)}`}
          onClick={keepFragment}
        >
          {m.links.withProvider(name)}
        </a>
      ))}
      <p className="t13">
        <FirstLink to={`/sign-in/organisation?to=${encodeURIComponent(localPath(to))}${location.hash}`}>{m.links.organisation}</FirstLink>
      </p>
      {data.passwordReset && (
        <p className="t13">
          <FirstLink to="/sign-in/forgot">{m.links.forgot}</FirstLink>
        </p>
      )}
      {data.magicLink && (
        <p className="t13">
          <FirstLink to="/sign-in/link">{m.links.byLink}</FirstLink>
        </p>
      )}
    </>
  )
}
