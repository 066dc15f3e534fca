import { useState } from 'react'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { Enrolment } from '#src/pages/session/enrolment.tsx'
import { PasskeyButton } from '#src/session/passkey-button.tsx'
import { finishSignIn, passkeyAssertion, sendPhoneCode } from '#src/session/rare-entrances.ts'
import type { Challenge } from '#src/session/session.ts'
import { toast } from '#src/ui/toast.tsx'
import { wordsOf } from '#src/ui/problem.tsx'

interface SecondStepProps {
  readonly challenge: Challenge
  readonly done: () => Promise<void>
}

type Way = 'totp' | 'phone' | 'recovery_code'

/** The second step of a sign-in: a code of the authenticator, a code by text message, a recovery code, or the enrolment that the account demands. */
export function SecondStep({ challenge, done }: SecondStepProps) {
  return challenge.status === 'mfa_enrollment_required' ? (
    <Enrolment challenge={challenge} done={done} />
  ) : (
    <Code challenge={challenge} done={done} />
  )
}

function Code({ challenge, done }: SecondStepProps) {
  const s = m.security
  const { factors, phoneHint } = challenge
  const [way, setWay] = useState<Way>(factors.includes('totp') ? 'totp' : 'recovery_code')
  const [request, setRequest] = useState<string>()
  const text = {
    totp: [s.code, s.codeHint],
    phone: [s.code, m.team.phoneCodeHint(phoneHint ?? '')],
    recovery_code: [s.recoveryCode, s.recoveryHint],
  } as const
  const choose = (next: Way) => () => {
    if (next !== 'phone') return setWay(next)
    sendPhoneCode(challenge)
      .then((sent) => {
        setRequest(sent.request)
        setWay('phone')
      })
      .catch((error: unknown) => toast(wordsOf(error).detail, 'faulted'))
  }
  const words = { totp: s.useCode, phone: m.team.usePhone(phoneHint ?? ''), recovery_code: s.useRecovery } as const
  const offered: readonly Way[] = ['totp', 'phone', 'recovery_code']
  const byPasskey = factors.includes('passkey') && (
    <PasskeyButton
      large
      use={async () => {
        await finishSignIn(challenge, { passkey: await passkeyAssertion() })
        await done()
      }}
    />
  )
  // An account that demands a second factor, of a person who has passkeys alone.
  if (factors.every((factor) => factor === 'passkey')) return byPasskey
  return (
    <>
      {byPasskey}
      <DataForm
        key={way}
        large
        initial={{ code: '' }}
        fields={[{ name: 'code', label: text[way][0], hint: text[way][1], required: true, autoFocus: true, autoComplete: 'one-time-code' }]}
        send={async ({ code }) => {
          await finishSignIn(challenge, bodyOf(way, code.trim(), request))
          await done()
        }}
        label={m.session.continue}
      />
      {offered
        .filter((one) => one !== way && factors.includes(one))
        .map((one) => (
          <p key={one} className="t13">
            <button type="button" className="link" onClick={choose(one)}>
              {words[one]}
            </button>
          </p>
        ))}
    </>
  )
}

function bodyOf(way: Way, code: string, request: string | undefined) {
  if (way === 'recovery_code') return { recoveryCode: code }
  return way === 'phone' && request !== undefined ? { code, request } : { code }
}
