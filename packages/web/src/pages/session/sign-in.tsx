import { useState } from 'react'
import { goTo } from '#src/app/go-to.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { loadMessages, m } from '#src/messages/messages.ts'
import { FirstLink } from '#src/pages/session/first-link.tsx'
import { continueAt, localPath } from '#src/pages/session/fragment.ts'
import { Outside } from '#src/pages/session/outside.tsx'
import { OtherWays } from '#src/pages/session/other-ways.tsx'
import { type Challenge, signIn } from '#src/session/session.ts'
import { onDemand } from '#src/ui/on-demand.tsx'

/** Few need it, and it needs a library for QR codes. */
const SecondStep = onDemand(async () => {
  await loadMessages()
  return (await import('#src/pages/session/second-step.tsx')).SecondStep
})

export function Page() {
  const to = localPath(new URLSearchParams(location.search).get('to') ?? undefined)
  const [challenge, setChallenge] = useState<Challenge>()
  // Back leads to what was before the form.
  const enter = () => goTo(continueAt(), { replace: true })
  const proceed = async (missing: Challenge | undefined) => {
    if (missing === undefined) await enter()
    else setChallenge(missing)
  }
  const byPasskey = async () => {
    const { signInByPasskey } = await import('#src/session/rare-entrances.ts')
    await proceed(await signInByPasskey())
  }
  if (challenge !== undefined)
    return (
      <Outside title={m.session.second} lede={location.host}>
        <SecondStep challenge={challenge} done={enter} />
      </Outside>
    )
  return (
    <Outside title={m.session.signIn} lede={location.host}>
      <DataForm
        large
        initial={{ email: '', password: '' }}
        fields={[
          { name: 'email', label: m.session.email, kind: 'email', required: true, autoFocus: true, autoComplete: 'username' },
          { name: 'password', label: m.session.password, kind: 'password', required: true, autoComplete: 'current-password' },
        ]}
        send={(values) => signIn(values).then(proceed)}
        label={m.session.continue}
      />
      <OtherWays to={to} byPasskey={byPasskey} />
      <p className="t13 i2">
        {m.session.noAccount} <FirstLink to="/register">{m.session.register}</FirstLink>
      </p>
    </Outside>
  )
}
