import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { boot } from '#src/boot.ts'
import { m } from '#src/messages/messages.ts'
import { useSession } from '#src/session/session.ts'
import { useSignInMethods } from '#src/session/use-sign-in-methods.ts'
import { OutboxLink } from '#src/ui/outbox-link.tsx'
import { wordsOf } from '#src/ui/problem.tsx'
import { toast } from '#src/ui/toast.tsx'

/** A quiet line while the address of a person is not confirmed. */
export function UnverifiedStrip() {
  const me = useSession((session) => session.me)
  if (me === undefined || me.emailVerified || !boot.flags.includes('isEmailVerifyEnabled')) return null
  return <Unverified email={me.email} />
}

/** A way to get the mail again, and to the outbox where mails are not sent. */
function Unverified({ email }: { readonly email: string }) {
  const v = m.verification
  const keepsMails = useSignInMethods()?.keepsMails === true
  const [asked, setAsked] = useState(false)
  if (asked && !keepsMails) return null
  const resend = () => {
    setAsked(true)
    api.auth
      .resendVerification({ body: { email } })
      .then(() => !keepsMails && toast(v.sent(email)))
      .catch((error: unknown) => {
        setAsked(false)
        toast(wordsOf(error).detail, 'faulted')
      })
  }
  return (
    <p className="notice-strip quiet" role="status">
      {v.missing(email)}{' '}
      {!asked && (
        <button type="button" className="link" onClick={resend}>
          {v.resend}
        </button>
      )}
      {keepsMails && (asked ? `${v.kept} ` : ' · ')}
      {keepsMails && <OutboxLink />}
    </p>
  )
}
