import { useState } from 'react'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { type Challenge, finishSignIn } from '#src/session/session.ts'

/** The second step of a sign-in: a code of the authenticator, or a recovery code. */
export function SecondStep({ challenge, done }: { readonly challenge: Challenge; readonly done: () => Promise<void> }) {
  const [recovery, setRecovery] = useState(false)
  if (challenge.status === 'mfa_enrollment_required') return <p className="section">{m.security.enrolFirst}</p>
  return (
    <>
      <DataForm
        key={String(recovery)}
        large
        initial={{ code: '' }}
        fields={[
          {
            name: 'code',
            label: recovery ? m.security.recoveryCode : m.security.code,
            required: true,
            autoFocus: true,
            autoComplete: 'one-time-code',
            hint: recovery ? m.security.recoveryHint : m.security.codeHint,
          },
        ]}
        send={async ({ code }) => {
          await finishSignIn(challenge, recovery ? { recoveryCode: code.trim() } : { code: code.trim() })
          await done()
        }}
        label={m.session.continue}
      />
      <p className="t13">
        <button type="button" className="link" onClick={() => setRecovery(!recovery)}>
          {recovery ? m.security.useCode : m.security.useRecovery}
        </button>
      </p>
    </>
  )
}
