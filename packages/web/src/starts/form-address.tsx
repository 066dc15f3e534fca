import { m } from '#src/messages/messages.ts'
import type { Webhook } from '#src/starts/signing.ts'
import { CopyButton } from '#src/ui/id.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { LocalOnly } from '#src/ui/local-only.tsx'

/** The address of a form, to open and to pass on, and why it cannot be shown. */
export function FormAddress({ webhook: { url, formProblem } }: { readonly webhook: Webhook }) {
  const f = m.startForms
  return (
    <>
      {formProblem !== null && (
        <div className="problem" role="status">
          <h3>{f.broken}</h3>
          <p className="i2">{formProblem}</p>
        </div>
      )}
      {url === null ? (
        <p className="i2">{m.starts.hidden}</p>
      ) : (
        <>
          <p className="row between">
            <b className="lbl">{f.address}</b>
            <CopyButton text={url} label={f.copy} />
          </p>
          <pre className="secret" dir="ltr" tabIndex={0} aria-label={f.address}>
            {url}
          </pre>
          <p className="row">
            <a className="btn" href={url} target="_blank" rel="noreferrer">
              <Icon name="ext" />
              {f.open}
            </a>
          </p>
          <LocalOnly url={url} />
          <p className="hint">{f.addressHint}</p>
        </>
      )}
    </>
  )
}
