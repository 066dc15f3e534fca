import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { CopyButton } from '#src/ui/id.tsx'

interface Restored {
  readonly text: string
  readonly restored: number
}

/** Opens what a redaction encrypted. */
export function RestoreText() {
  const r = m.leaving
  const [result, setResult] = useState<Restored>()
  return (
    <div className="bench">
      <section className="panel acard">
        <DataForm
          initial={{ text: '', key: '' }}
          fields={[
            { name: 'text', label: r.encrypted, kind: 'textarea', rows: 8, required: true, hint: r.encryptedHint },
            { name: 'key', label: r.key, hint: r.keyHint },
          ]}
          send={async ({ text, key }) => setResult(await api.privacy.restore({ body: { text, ...(key === '' ? {} : { key }) } }))}
          label={r.restore}
        />
      </section>
      <section className="panel acard" aria-live="polite">
        {result === undefined ? (
          <p className="i2">{r.nothingRestored}</p>
        ) : (
          <>
            <div className="row between">
              <h2 className="t14 bb">{r.restored(result.restored)}</h2>
              <CopyButton text={result.text} />
            </div>
            <p className="prewrap wrap-any" dir="auto">
              {result.text}
            </p>
          </>
        )}
      </section>
    </div>
  )
}
