import { useState } from 'react'
import { goTo } from '#src/app/go-to.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import type { FieldSpec } from '#src/forms/field.tsx'
import { m } from '#src/messages/messages.ts'
import { FirstLink } from '#src/pages/session/first-link.tsx'
import { Outside } from '#src/pages/session/outside.tsx'
import { claimReferral } from '#src/pages/session/referral-code.ts'
import { setZoneOfAccount } from '#src/pages/session/zone-of-device.ts'
import { register } from '#src/session/rare-entrances.ts'
import { useSignInMethods } from '#src/session/use-sign-in-methods.ts'

const passwordLengthMin = 8

export function Page() {
  const [asked, setOperator] = useState(false)
  const data = useSignInMethods()
  const closed = data === undefined || data.registration === 'open' ? undefined : data.registration
  const first = data?.hasUsers === false
  const operator = asked || first
  const code: FieldSpec = {
    name: 'operatorCode',
    label: m.session.operatorCode,
    hint: first ? m.session.firstCodeHint : m.session.operatorCodeHint,
  }
  return (
    <Outside title={m.session.createAccount} lede={first ? m.session.firstLede : m.session.registerLede}>
      {closed !== undefined && !operator && <p role="status">{m.session.registration[closed]}</p>}
      {(closed === undefined || operator) && (
        <DataForm
          large
          initial={{ name: '', email: '', password: '', operatorCode: '' }}
          fields={({ password }) => [
            { name: 'name', label: m.session.name, autoFocus: true, autoComplete: 'name', required: true },
            { name: 'email', label: m.session.email, kind: 'email', required: true, autoComplete: 'username' },
            { name: 'password', label: m.session.password, kind: 'new-password', required: true, hint: verdict(password) },
            ...(operator ? [code] : []),
          ]}
          send={async ({ name, email, password, operatorCode }) => {
            const given = operatorCode.trim()
            await register({ name, email, password, ...(given === '' ? {} : { operatorCode: given }) })
            await Promise.all([claimReferral(), setZoneOfAccount()])
            // Back leads to what was before the form.
            await goTo('/', { replace: true })
          }}
          label={m.session.createAccount}
        />
      )}
      {!operator && (
        <p className="t13 i2">
          <button type="button" className="link" onClick={() => setOperator(true)}>
            {m.session.iOperate}
          </button>
        </p>
      )}
      <p className="t13 i2">
        {m.session.haveAccount} <FirstLink to="/sign-in">{m.session.signIn}</FirstLink>
      </p>
    </Outside>
  )
}

/** What is known about a password before the server judges it. */
function verdict(password: string): string {
  if (password === '') return m.session.passwordHint
  const length = [...password].length
  return length < passwordLengthMin ? m.session.passwordShort(passwordLengthMin - length) : m.session.passwordLong(length)
}
