import { m } from '#src/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'
import { CopyButton } from '#src/ui/id.tsx'

/** The address of a webhook and a line that calls it. */
export function WebhookReady({
  url,
  secret,
  onDone,
}: {
  readonly url: string
  readonly secret: string | null
  readonly onDone: () => void
}) {
  const curl = `curl -X POST ${url} -H 'Content-Type: application/json' -d '{ "order": 7 }'`
  const parts = [[m.starts.url, url], ...(secret === null ? [] : [[m.starts.secret, secret] as const]), [m.starts.curl, curl]] as const
  return (
    <div className="form">
      {parts.map(([label, text]) => (
        <div key={label}>
          <p className="row between">
            <b className="lbl">{label}</b>
            <CopyButton text={text} />
          </p>
          <pre className="secret" dir="ltr" tabIndex={0}>
            {text}
          </pre>
        </div>
      ))}
      {secret !== null && <p className="hint">{m.starts.secretHint}</p>}
      <div className="row">
        <Button look="primary" onClick={onDone}>
          {m.common.done}
        </Button>
      </div>
    </div>
  )
}
