import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { useSignInMethods } from '#src/session/use-sign-in-methods.ts'
import { OutboxLink } from '#src/ui/outbox-link.tsx'
import { wordsOf } from '#src/ui/problem.tsx'
import { toast } from '#src/ui/toast.tsx'

/** An address that is not confirmed, with a way to get the mail again and one to the outbox where mails are not sent. */
export function Unverified({ email }: { readonly email: string }) {
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
