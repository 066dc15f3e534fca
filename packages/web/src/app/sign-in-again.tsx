import { useState } from 'react'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { SecondStep } from '#src/pages/session/second-step.tsx'
import { type Challenge, signIn, useSession } from '#src/session/session.ts'
import { signOut } from '#src/session/sign-out.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'

/** Over the page when the session ended: the page below stays as it is, and continues after the same user signed in again. */
export function SignInAgain() {
  const email = useSession((session) => session.me?.email ?? '')
  const [challenge, setChallenge] = useState<Challenge>()
  return (
    <Dialog title={m.session.ended} onClose={() => undefined} modalOnly>
      <p className="i2">{m.session.endedText(email)}</p>
      {challenge === undefined ? (
        <DataForm
          initial={{ password: '' }}
          fields={[
            {
              name: 'password',
              label: m.session.password,
              kind: 'password',
              required: true,
              autoFocus: true,
              autoComplete: 'current-password',
            },
          ]}
          send={async ({ password }) => setChallenge(await signIn({ email, password }))}
          label={m.session.signIn}
          beside={
            <Button look="quiet" onClick={() => void signOut()}>
              {m.session.otherUser}
            </Button>
          }
        />
      ) : (
        <SecondStep challenge={challenge} done={() => Promise.resolve()} />
      )}
    </Dialog>
  )
}
