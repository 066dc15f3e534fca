import type { groups, Reply } from '@millrace/contract'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { readJson } from '#src/api/json.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'

type Draft = Reply<(typeof groups)['livecapture']['stop']>['draft']

/** A recording that was made elsewhere: of Chrome DevTools, or a video of the screen. */
export function Upload({ done }: { readonly done: (draft: Draft) => void }) {
  const c = m.capture
  const [file, setFile] = useState<File>()
  const read = async (name: string): Promise<Draft> => {
    if (file === undefined) throw new Error(c.noFile)
    if (!file.name.endsWith('.json')) {
      const video = await base64Of(file)
      return (await api.livecapture.analyzeVideo({ body: { name, video } })).draft
    }
    const recording = readJson(await file.text(), m.editor.notJson)
    const { id } = await api.livecapture.start({ body: { name } })
    await api.livecapture.events({ body: { sessionId: id, recording } })
    return (await api.livecapture.stop({ body: { sessionId: id } })).draft
  }
  return (
    <section className="panel acard capture-upload">
      <h2 className="t16 bb">{c.upload}</h2>
      <p className="t13 i2">{c.uploadText}</p>
      <label className="drop">
        <input type="file" className="vh" accept=".json,.mp4,.mov,.webm,.mkv" onChange={(event) => setFile(event.target.files?.[0])} />
        <span className="btn">{m.making.choose}</span>
        <span className="t13 i2">{file === undefined ? c.uploadKinds : <bdi className="mono">{file.name}</bdi>}</span>
      </label>
      <DataForm
        initial={{ name: '' }}
        fields={[{ name: 'name', label: c.name, required: true, placeholder: c.nameExample }]}
        send={async ({ name }) => done(await read(name))}
        label={c.makeDraft}
      />
    </section>
  )
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result.replace(/^[^,]*,/, '') : ''))
    reader.addEventListener('error', () => reject(reader.error ?? new Error(file.name)))
    reader.readAsDataURL(file)
  })
}
