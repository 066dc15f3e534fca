import { ClientError } from '@millrace/client'
import type { Problem } from '@millrace/contract'
import { useState } from 'react'
import { DataForm } from '#src/forms/data-form.tsx'
import type { files as texts } from '#src/messages/en/files.ts'
import { accessToken } from '#src/session/session.ts'
import { sessionFetch } from '#src/session/session-fetch.ts'
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
        await send(file, { name: name.trim() === '' ? file.name : name.trim(), ...(expiresIn === '' ? {} : { expiresIn }) })
        await done()
      }}
      label={f.upload}
    />
  )
}

/** The client of the contract sends JSON only. The browser reads the file while it is sent. */
async function send(file: File, query: Readonly<Record<string, string>>): Promise<void> {
  const headers = { 'content-type': file.type || 'application/octet-stream', authorization: `Bearer ${(await accessToken()) ?? ''}` }
  const response = await sessionFetch(`/api/v1/files?${new URLSearchParams(query).toString()}`, { method: 'PUT', headers, body: file })
  const body: unknown = await response.json()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The contract types both answers of this operation.
  if (!response.ok) throw new ClientError('files.put', body as Problem, undefined)
}
