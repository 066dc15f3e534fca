import { FormAddress } from '#src/starts/form-address.tsx'
import { m } from '#src/messages/messages.ts'
import { signedCall, type Webhook } from '#src/starts/signing.ts'
import { Button } from '#src/ui/button.tsx'
import { CopyButton } from '#src/ui/id.tsx'
import { LocalOnly } from '#src/ui/local-only.tsx'

interface WebhookCallProps {
  readonly webhook: Webhook
  /** Known only right after it was made. */
  readonly secret?: string | null
}

/** The address of a webhook, and lines that sign a call and send it; the address of a form, to pass on. */
export function WebhookCall({ webhook, secret = null }: WebhookCallProps) {
  const { url } = webhook
  if (webhook.form !== undefined) return <FormAddress webhook={webhook} />
  if (url === null) return <p className="i2">{m.starts.hidden}</p>
  const parts = [
    [m.starts.url, url],
    ...(secret === null ? [] : [[m.starts.secret, secret] as const]),
    [webhook.signature.scheme === 'none' ? m.starts.curl : m.starting.signedCall, signedCall(webhook, url)],
  ] as const
  return (
    <>
      {parts.map(([label, text]) => (
        <div key={label}>
          <p className="row between">
            <b className="lbl">{label}</b>
            <CopyButton text={text} label={`${m.common.copy}: ${label}`} />
          </p>
          <pre className="secret" dir="ltr" tabIndex={0} aria-label={label}>
            {text}
          </pre>
        </div>
      ))}
      <LocalOnly url={url} />
      {secret !== null && <p className="hint">{m.starts.secretHint}</p>}
    </>
  )
}

/** The same as a sheet that is closed by a button. */
export function WebhookReady({ onDone, ...call }: WebhookCallProps & { readonly onDone: () => void }) {
  return (
    <div className="form">
      <WebhookCall {...call} />
      <div className="row">
        <Button look="primary" onClick={onDone}>
          {m.common.done}
        </Button>
      </div>
    </div>
  )
}
