import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { Outside } from '#src/pages/session/outside.tsx'
import { SecondStep } from '#src/pages/session/second-step.tsx'
import { acceptInvitation, type Challenge } from '#src/session/session.ts'

/** An invited person chooses a name and a password, and is in the account. */
export function AcceptInvitation({ token }: { readonly token: string }) {
  const t = m.team
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
    <Outside title={t.joinTitle} lede={t.joinLede}>
      <DataForm
        large
        initial={{ name: '', password: '' }}
        fields={[
          { name: 'name', label: m.session.name, required: true, autoFocus: true, autoComplete: 'name' },
          { name: 'password', label: m.session.password, kind: 'new-password', required: true, hint: m.session.passwordHint },
        ]}
        send={async ({ name, password }) => {
          const missing = await acceptInvitation({ token, password, name })
          if (missing === undefined) await enter()
          else setChallenge(missing)
        }}
        label={t.join}
      />
    </Outside>
  )
}
