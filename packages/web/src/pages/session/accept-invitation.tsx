import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { Outside } from '#src/pages/session/outside.tsx'
import { SecondStep } from '#src/pages/session/second-step.tsx'
import { acceptInvitation, inspectInvitation } from '#src/session/rare-entrances.ts'
import type { Challenge } from '#src/session/session.ts'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

/** An invited person chooses a name and a password, and is in the account. */
export function AcceptInvitation({ token }: { readonly token: string }) {
  const t = m.team
  const navigate = useNavigate()
  const [challenge, setChallenge] = useState<Challenge>()
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => inspectInvitation(token),
    // Without a token the link is not whole, or the page is being left.
    enabled: token !== '',
    retry: false,
    staleTime: Infinity,
  })
  const enter = () => navigate({ to: '/', replace: true })
  if (challenge !== undefined)
    return (
      <Outside title={m.session.second} lede={location.host}>
        <SecondStep challenge={challenge} done={enter} />
      </Outside>
    )
  if (token === '')
    return (
      <Outside title={t.joinTitle} lede={m.links.notWhole}>
        {null}
      </Outside>
    )
  if (invitation.isError)
    return (
      <Outside title={t.joinTitle}>
        <ProblemPanel error={invitation.error} />
      </Outside>
    )
  if (invitation.data === undefined)
    return (
      <Outside title={t.joinTitle}>
        <Skeleton rows={3} />
      </Outside>
    )
  const { account, email, role, invitedBy } = invitation.data
  const text =
    invitedBy === null
      ? t.invited(account, t.roles[role])
      : t.invitedBy(invitedBy.name === null ? invitedBy.email : `${invitedBy.name} (${invitedBy.email})`, account, t.roles[role])
  return (
    <Outside title={t.joinAccount(account)} lede={text}>
      <p className="i2">{t.roleHints[role]}</p>
      <DataForm
        before={<p className="i2">{`${t.joinAs(email)} ${t.joinLede}`}</p>}
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
