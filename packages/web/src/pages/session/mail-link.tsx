import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { NotFound } from '#src/app/not-found.tsx'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { AcceptInvitation } from '#src/pages/session/accept-invitation.tsx'
import { fragment } from '#src/pages/session/fragment.ts'
import { Outside } from '#src/pages/session/outside.tsx'
import { SecondStep } from '#src/pages/session/second-step.tsx'
import { type Challenge, resetPassword, restoreAccount, signInByLink, verifyEmail } from '#src/session/session.ts'

/** A link of a mail. A button always confirms: programs that scan mails open links, and must not use them up. */
export function Page() {
  const { kind }: { kind?: string } = useParams({ strict: false })
  const token = fragment('token')
  if (kind === 'verify') return <Verify token={token} />
  if (kind === 'reset') return <Reset token={token} />
  if (kind === 'restore') return <Restore token={token} />
  if (kind === 'invitation') return <AcceptInvitation token={token} />
  return kind === 'magic' ? <SignIn token={token} /> : <NotFound />
}

function Verify({ token }: { readonly token: string }) {
  const [address, setAddress] = useState<string>()
  if (address !== undefined) return <Done title={m.links.verified}>{m.links.verifiedText(address)}</Done>
  return (
    <Outside title={m.links.verifyTitle} lede={m.links.verifyLede}>
      <DataForm large initial={{}} fields={[]} send={async () => setAddress((await verifyEmail(token)).email)} label={m.links.verify} />
      <p className="t13 i2">
        <Link to="/sign-in">{m.session.signIn}</Link>
      </p>
    </Outside>
  )
}

function Reset({ token }: { readonly token: string }) {
  const [done, setDone] = useState(false)
  if (done) return <Done title={m.links.resetDone}>{m.links.resetDoneText}</Done>
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
  if (address !== undefined) return <Done title={m.links.restored}>{m.links.restoredText(address)}</Done>
  return (
    <Outside title={m.links.restoreTitle} lede={m.links.restoreLede}>
      <DataForm large initial={{}} fields={[]} send={async () => setAddress((await restoreAccount(token)).email)} label={m.links.restore} />
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

function Done({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Outside title={title} lede={children}>
      <p className="t13">
        <Link to="/">{m.links.toHome}</Link>
      </p>
    </Outside>
  )
}
