import type { groups, Reply } from '@millrace/contract'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { CaptureDraft } from '#src/pages/capture/capture-draft.tsx'
import { Recording } from '#src/pages/capture/recording.tsx'
import { Upload } from '#src/pages/capture/upload.tsx'
import { Page as Shell } from '#src/patterns/page.tsx'

type Started = Reply<(typeof groups)['livecapture']['start']>
type Draft = Reply<(typeof groups)['livecapture']['stop']>['draft']

/** What a person does in a browser becomes the draft of a workflow. */
export function Page() {
  const c = m.capture
  const [session, setSession] = useState<Started>()
  const [draft, setDraft] = useState<Draft>()
  const again = () => {
    setDraft(undefined)
    setSession(undefined)
  }
  if (draft !== undefined)
    return (
      <Shell title={c.title}>
        <CaptureDraft draft={draft} again={again} />
      </Shell>
    )
  return (
    <Shell title={c.title} lede={c.lede}>
      {session === undefined ? (
        <>
          <ol className="how">
            {c.how.map(([title, text]) => (
              <li key={title}>
                <b className="b">{title}</b>
                <span className="t13 i2">{text}</span>
              </li>
            ))}
          </ol>
          <div className="cols2">
            <section className="panel acard">
              <h2 className="t16 bb">{c.record}</h2>
              <DataForm
                initial={{ name: '', maskInputs: true }}
                fields={[
                  { name: 'name', label: c.name, required: true, placeholder: c.nameExample, autoFocus: true },
                  { name: 'maskInputs', label: c.mask, kind: 'switch', hint: c.maskHint },
                ]}
                send={async (body) => setSession(await api.livecapture.start({ body }))}
                label={c.start}
              />
            </section>
            <Upload done={setDraft} />
          </div>
        </>
      ) : (
        <Recording session={session} done={setDraft} />
      )}
    </Shell>
  )
}
