import { useState } from 'react'
import { AuthenticatorForm } from '#src/forms/authenticator-form.tsx'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { beginEnrolment, finishEnrolment } from '#src/session/rare-entrances.ts'
import type { Challenge } from '#src/session/session.ts'
import { SecretOnce } from '#src/ui/secret-once.tsx'
import { toast } from '#src/ui/toast.tsx'
import { wordsOf } from '#src/ui/problem.tsx'

type Key = Awaited<ReturnType<typeof beginEnrolment>>
type Enrolled = Awaited<ReturnType<typeof finishEnrolment>>

/** The account demands a second factor: adds an authenticator, shows the recovery codes, then opens the session. */
export function Enrolment({ challenge, done }: { readonly challenge: Challenge; readonly done: () => Promise<void> }) {
  const [key, setKey] = useState<Key>()
  const [enrolled, setEnrolled] = useState<Enrolled>()
  const enter = async ({ enter: open }: Enrolled) => {
    try {
      await open()
      await done()
    } catch (error) {
      toast(wordsOf(error).detail, 'faulted')
    }
  }
  if (enrolled !== undefined)
    return <SecretOnce secret={enrolled.recoveryCodes.join('\n')} text={m.security.recoveryText} onDone={() => void enter(enrolled)} />
  if (key !== undefined)
    return (
      <AuthenticatorForm
        large
        secret={key.secret}
        uri={key.uri}
        send={async (code) => setEnrolled(await finishEnrolment(challenge, code))}
        label={m.session.continue}
      />
    )
  return (
    <DataForm
      large
      initial={{}}
      fields={[]}
      before={<p>{m.security.enrolFirst}</p>}
      send={async () => setKey(await beginEnrolment(challenge))}
      label={m.security.add}
    />
  )
}
