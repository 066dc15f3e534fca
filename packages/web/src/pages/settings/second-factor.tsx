import { useQuery, useQueryClient } from '@tanstack/react-query'
import { encode } from 'uqr'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
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
      .then(({ secret, uri }) => open(s.add, () => <Setup secret={secret} uri={uri} done={codes} />))
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

function Setup({
  secret,
  uri,
  done,
}: {
  readonly secret: string
  readonly uri: string
  readonly done: (codes: readonly string[]) => void
}) {
  return (
    <DataForm
      initial={{ code: '' }}
      before={
        <>
          <p>{m.security.scan}</p>
          <Qr text={uri} />
          <p className="t13 i2">
            {m.security.orType} <bdi className="mono">{secret}</bdi>
          </p>
        </>
      }
      fields={[{ name: 'code', label: m.security.code, required: true, autoComplete: 'one-time-code', hint: m.security.codeHint }]}
      send={async ({ code }) => done((await api.auth.mfaVerifySetup({ body: { code: code.trim() } })).recoveryCodes)}
      label={m.security.add}
    />
  )
}

/** A QR code as one path, black on white in both themes, as scanners want it. */
function Qr({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { border: 2 })
  const path = data.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={m.security.qr}>
      <rect width={size} height={size} fill="white" />
      <path d={path} fill="black" shapeRendering="crispEdges" />
    </svg>
  )
}
