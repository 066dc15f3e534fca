import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { boot } from '#src/boot.ts'
import { m } from '#src/messages/messages.ts'
import { useSession } from '#src/session/session.ts'
import { wordsOf } from '#src/ui/problem.tsx'
import { toast } from '#src/ui/toast.tsx'

/** A quiet line while the address of a person is not confirmed, with a way to get the mail again. */
export function UnverifiedStrip() {
  const v = m.verification
  const me = useSession((session) => session.me)
  const [sent, setSent] = useState(false)
  if (me === undefined || me.emailVerified || sent || !boot.flags.includes('isEmailVerifyEnabled')) return null
  const { email } = me
  const resend = () => {
    setSent(true)
    api.auth
      .resendVerification({ body: { email } })
      .then(() => toast(v.sent(email)))
      .catch((error: unknown) => {
        setSent(false)
        toast(wordsOf(error).detail, 'faulted')
      })
  }
  return (
    <p className="notice-strip quiet" role="status">
      {v.missing(email)}{' '}
      <button type="button" className="link" onClick={resend}>
        {v.resend}
      </button>
    </p>
  )
}
