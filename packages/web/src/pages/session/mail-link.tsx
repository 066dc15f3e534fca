import { Link, useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { NotFound } from '#src/app/not-found.tsx'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { AcceptInvitation } from '#src/pages/session/accept-invitation.tsx'
import { FirstLink } from '#src/pages/session/first-link.tsx'
import { fragment, signInAndReturn } from '#src/pages/session/fragment.ts'
import { Outside } from '#src/pages/session/outside.tsx'
import { SecondStep } from '#src/pages/session/second-step.tsx'
import { knownSession } from '#src/session/known-session.ts'
import { resetPassword, restoreAccount, signInByLink, verifyEmail } from '#src/session/rare-entrances.ts'
import type { Challenge } from '#src/session/session.ts'
import { useSignInMethods } from '#src/session/use-sign-in-methods.ts'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { OutboxLink } from '#src/ui/outbox-link.tsx'

/** A link of a mail. A button always confirms: programs that scan mails open links, and must not use them up. */
export function Page() {
  const { kind }: { kind?: string } = useParams({ strict: false })
  // Another link in the same tab changes the fragment alone.
  useLocation({ select: ({ hash }) => hash })
  const token = fragment('token')
  const Kind = kind === undefined ? undefined : pages.get(kind)
  return Kind === undefined ? <NotFound /> : <Kind key={token} token={token} />
}

const pages: ReadonlyMap<string, (props: { readonly token: string }) => ReactNode> = new Map([
  ['verify', Verify],
  ['reset', Reset],
  ['restore', Restore],
  ['invitation', AcceptInvitation],
  ['magic', SignIn],
])

function Verify({ token }: { readonly token: string }) {
  const [address, setAddress] = useState<string>()
  if (address !== undefined) return <Done title={m.links.verified}>{m.links.verifiedText(address)}</Done>
  // The mail may be read on another device, or after the session: a sign-in returns here, with the token.
  const isKnown = knownSession.exists()
  const isWhole = token !== ''
  const toSignIn = (
    <FirstLink to={signInAndReturn()} className={isKnown ? undefined : 'btn lg primary'}>
      {isKnown ? m.links.asOther : m.session.signIn}
    </FirstLink>
  )
  return (
    <Outside title={m.links.verifyTitle} lede={isWhole ? (isKnown ? m.links.verifyLede : m.links.signInFirst) : m.links.notWhole}>
      {isKnown && isWhole && (
        <DataForm large initial={{}} fields={[]} send={async () => setAddress((await verifyEmail(token)).email)} label={m.links.verify} />
      )}
      {isWhole && <p className="t13 i2">{toSignIn}</p>}
    </Outside>
  )
}

function Reset({ token }: { readonly token: string }) {
  const [done, setDone] = useState(false)
  if (done)
    return (
      <Done title={m.links.resetDone} signsIn>
        {m.links.resetDoneText}
      </Done>
    )
  return (
    <Outside title={m.links.resetTitle} lede={m.links.resetLede}>
      <DataForm
        large
        initial={{ password: '' }}
        fields={[
          {
            name: 'password',
            label: m.links.newPassword,
            kind: 'new-password',
            required: true,
            autoFocus: true,
            hint: m.session.passwordHint,
          },
        ]}
        send={async ({ password }) => {
          await resetPassword(token, password)
          setDone(true)
        }}
        label={m.links.setPassword}
      />
    </Outside>
  )
}

function Restore({ token }: { readonly token: string }) {
  const [address, setAddress] = useState<string>()
  if (address !== undefined)
    return (
      <Done title={m.links.restored} signsIn>
        {m.links.restoredText(address)}
      </Done>
    )
  if (token === '') return <Deleted />
  return (
    <Outside title={m.links.restoreTitle} lede={m.links.restoreLede}>
      <DataForm large initial={{}} fields={[]} send={async () => setAddress((await restoreAccount(token)).email)} label={m.links.restore} />
      <p className="t13 i2">
        <Link to="/sign-in">{m.links.backToSignIn}</Link>
      </p>
    </Outside>
  )
}

function SignIn({ token }: { readonly token: string }) {
  const navigate = useNavigate()
  const [challenge, setChallenge] = useState<Challenge>()
  const enter = () => navigate({ to: '/', replace: true })
  if (challenge !== undefined)
    return (
      <Outside title={m.session.second} lede={location.host}>
        <SecondStep challenge={challenge} done={enter} />
      </Outside>
    )
  return (
    <Outside title={m.links.enterTitle} lede={m.links.enterLede}>
      <DataForm
        large
        initial={{}}
        fields={[]}
        send={async () => {
          const missing = await signInByLink(token)
          if (missing === undefined) await enter()
          else setChallenge(missing)
        }}
        label={m.session.continue}
      />
      <p className="t13 i2">
        <Link to="/sign-in/link">{m.links.askAgain}</Link>
      </p>
    </Outside>
  )
}

/** What follows a deletion: the link that undoes it is in a mail. */
function Deleted() {
  const keepsMails = useSignInMethods()?.keepsMails === true
  return (
    <Outside title={m.links.deleted} lede={keepsMails ? m.links.deletedKept : m.links.deletedText}>
      {keepsMails && (
        <p>
          <OutboxLink className="btn lg primary" />
        </p>
      )}
      <p className="t13 i2">
        <Link to="/sign-in">{m.links.backToSignIn}</Link>
      </p>
    </Outside>
  )
}

function Done({
  title,
  signsIn = false,
  children,
}: {
  readonly title: string
  /** Whether a sign-in follows, and not the home page. */
  readonly signsIn?: boolean
  readonly children: ReactNode
}) {
  return (
    <Outside title={title} lede={children}>
      <p>
        <ButtonLink to={signsIn ? '/sign-in' : '/'} look="primary" size="lg">
          {signsIn ? m.session.signIn : m.links.toHome}
        </ButtonLink>
      </p>
    </Outside>
  )
}
