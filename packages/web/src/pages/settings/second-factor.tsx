import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { AuthenticatorForm } from '#src/forms/authenticator-form.tsx'
import { m } from '#src/messages/messages.ts'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { wordsOf } from '#src/ui/problem.tsx'
import { SecretOnce } from '#src/ui/secret-once.tsx'
import { toast } from '#src/ui/toast.tsx'

type Shown = (title: string, secret: string, text: string) => void

/** The authenticator app and the recovery codes. */
export function SecondFactor() {
  const s = m.security
  const queries = useQueryClient()
  const { open, confirm, sheet } = useSheet()
  const status = useQuery({ queryKey: ['mfa'], queryFn: () => api.auth.mfaStatus() })
  const changed = () => void queries.invalidateQueries({ queryKey: ['mfa'] })
  const show: Shown = (title, secret, text) => open(title, (close) => <SecretOnce secret={secret} text={text} onDone={close} />)
  const codes = (list: readonly string[]) => {
    changed()
    show(s.recoveryCodes, list.join('\n'), s.recoveryText)
  }
  const add = () =>
    api.auth
      .mfaSetup()
      .then(({ secret, uri }) =>
        open(s.add, () => (
          <AuthenticatorForm
            secret={secret}
            uri={uri}
            send={async (code) => codes((await api.auth.mfaVerifySetup({ body: { code } })).recoveryCodes)}
            label={s.add}
          />
        )),
      )
      .catch((error: unknown) => toast(wordsOf(error).detail, 'faulted'))
  const enabled = status.data?.enabled === true
  return (
    <section className="panel acard">
      <header className="row wrap">
        <h2 className="t16">{s.factor}</h2>
        <Badge tone={enabled ? 'ok' : 'off'}>{enabled ? s.on : s.off}</Badge>
        {enabled && <span className="t13 i2">{s.left(status.data?.recoveryCodes ?? 0)}</span>}
        <span className="sp" />
        {enabled ? (
          <>
            <Button
              onClick={() =>
                confirm(s.newCodes, s.newCodesText, () =>
                  api.auth.mfaRecoveryCodes().then(({ recoveryCodes }) => setTimeout(() => codes(recoveryCodes))),
                )
              }
            >
              {s.newCodes}
            </Button>
            <Button look="danger" onClick={() => confirm(s.turnOff, s.turnOffText, () => api.auth.mfaDelete().then(changed))}>
              {s.turnOff}
            </Button>
          </>
        ) : (
          <Button look="primary" onClick={() => void add()}>
            {s.add}
          </Button>
        )}
      </header>
      <p className="t13 i2">{s.factorText}</p>
      {sheet}
    </section>
  )
}
