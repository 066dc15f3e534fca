import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { boot } from '#src/boot.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { SecretOnce } from '#src/ui/secret-once.tsx'
import { toast } from '#src/ui/toast.tsx'

/** The phone that gets codes, as second factor or as a way in; nothing where the installation sends no text messages. */
export function Phone() {
  const p = m.phone
  const queries = useQueryClient()
  const { open, confirm, sheet } = useSheet()
  const status = useQuery({ queryKey: ['mfa'], queryFn: () => api.auth.mfaStatus() })
  const changed = () => queries.invalidateQueries({ queryKey: ['mfa'] })
  if (!boot.flags.includes('isPhoneOtpEnabled') || status.data === undefined) return null
  const { phone } = status.data
  const done = (recoveryCodes: readonly string[] | null) => {
    void changed()
    toast(p.added)
    if (recoveryCodes !== null)
      open(m.security.recoveryCodes, (close) => (
        <SecretOnce secret={recoveryCodes.join('\n')} text={m.security.recoveryText} onDone={close} />
      ))
  }
  return (
    <section className="panel acard">
      <header className="row wrap">
        <h2 className="t16">{p.title}</h2>
        {phone === null ? <Badge>{p.none}</Badge> : <Badge tone="ok">{phone.secondFactor ? p.second : p.signsIn}</Badge>}
        {phone !== null && <span className="t13 i2">{p.endsIn(phone.hint)}</span>}
        <span className="sp" />
        {phone !== null && (
          <Button look="danger" onClick={() => confirm(p.remove, p.removeText, () => api.auth.phoneDelete().then(changed))}>
            {p.remove}
          </Button>
        )}
        <Button
          onClick={() =>
            open(phone === null ? p.add : p.replace, (close) => (
              <Enrolment
                done={(codes) => {
                  close()
                  done(codes)
                }}
              />
            ))
          }
        >
          {phone === null ? p.add : p.replace}
        </Button>
      </header>
      <p className="t13 i2">{p.text}</p>
      {sheet}
    </section>
  )
}

/** Asks for the number, then for the code that was sent to it. */
function Enrolment({ done }: { readonly done: (recoveryCodes: readonly string[] | null) => void }) {
  const p = m.phone
  const [sent, setSent] = useState<{ readonly request: string; readonly number: string }>()
  if (sent === undefined)
    return (
      <DataForm
        key="number"
        initial={{ number: '', use: 'second' }}
        fields={[
          { name: 'number', label: p.number, hint: p.numberHint, required: true, autoComplete: 'tel', placeholder: '+49 151 12345678' },
          {
            name: 'use',
            label: p.use,
            kind: 'select',
            options: [
              ['second', p.uses.second],
              ['alone', p.uses.alone],
            ],
          },
        ]}
        send={async ({ number, use }) => {
          const { request } = await api.auth.phoneEnroll({ body: { number: number.trim(), secondFactor: use === 'second' } })
          setSent({ request, number: number.trim() })
        }}
        label={p.send}
      />
    )
  return (
    <DataForm
      key="code"
      initial={{ code: '' }}
      fields={[{ name: 'code', label: p.code, hint: p.codeHint(sent.number), required: true, autoComplete: 'one-time-code' }]}
      send={async ({ code }) => {
        const { recoveryCodes } = await api.auth.phoneEnrollVerify({ body: { request: sent.request, code: code.trim() } })
        done(recoveryCodes)
      }}
      label={p.confirm}
    />
  )
}
