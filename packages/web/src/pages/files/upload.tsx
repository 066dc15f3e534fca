import { useState } from 'react'
import { sendFile } from '#src/api/send-file.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import type { files as texts } from '#src/messages/en/files.ts'
import { bytes } from '#src/values/format.ts'

/** A form that sends a file of the person. */
export function Upload({ f, done }: { readonly f: typeof texts; readonly done: () => Promise<unknown> }) {
  const [file, setFile] = useState<File>()
  return (
    <DataForm
      initial={{ name: '', expiresIn: '' }}
      before={
        <label className="drop">
          <input type="file" className="vh" onChange={(event) => setFile(event.target.files?.[0])} />
          <span className="btn">{f.choose}</span>
          <span className="t13 i2">
            {file === undefined ? (
              f.none
            ) : (
              <>
                <bdi className="mono wrap-any">{file.name}</bdi> <span className="num">{bytes(file.size)}</span>
              </>
            )}
          </span>
        </label>
      }
      fields={[
        { name: 'name', label: f.name, hint: f.nameHint },
        { name: 'expiresIn', label: f.keep, kind: 'select', options: f.spans },
      ]}
      send={async ({ name, expiresIn }) => {
        if (file === undefined) throw new Error(f.noFile)
        await sendFile(file, { name: name.trim() === '' ? file.name : name.trim(), ...(expiresIn === '' ? {} : { expiresIn }) })
        await done()
      }}
      label={f.upload}
    />
  )
}
