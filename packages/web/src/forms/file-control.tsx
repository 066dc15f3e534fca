import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type InputHTMLAttributes, useId, useRef, useState } from 'react'
import { api } from '#src/api/client.ts'
import { sendFile } from '#src/api/send-file.ts'
import { boot } from '#src/boot.ts'
import { Button } from '#src/ui/button.tsx'
import { wordsOf } from '#src/ui/problem.tsx'
import { useRested } from '#src/values/use-rested.ts'

// Only forms with a file read them: the texts of all pages load with every page.
const { files: f } = await (boot.locale === 'ar' ? import('#src/messages/ar/files.ts') : import('#src/messages/en/files.ts'))

interface FileControlProps {
  /** Of the input. */
  readonly shared: InputHTMLAttributes<HTMLInputElement>
  /** The name of the file. */
  readonly value: string
  /** Media types, separated by commas. */
  readonly accept: string | undefined
  readonly onChange: (name: string) => void
}

const shownFiles = 50

/** Chooses a file of the account by its name, or uploads one. */
export function FileControl({ shared, value, accept, onChange }: FileControlProps) {
  const list = useId()
  const problem = useId()
  const chooser = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const prefix = useRested(value)
  const found = useQuery({
    queryKey: ['files', 'named', prefix],
    placeholderData: keepPreviousData,
    queryFn: () => api.files.list({ query: { prefix, limit: shownFiles } }),
  })
  const upload = (file: File | undefined) => {
    if (file === undefined || busy) return
    setBusy(true)
    setError(undefined)
    // In a folder of its own, so that it replaces no other file of this name.
    sendFile(file, { name: `runs/${crypto.randomUUID().slice(0, 8)}/${file.name.replaceAll(/[\\\p{Cc}\p{Cf}]/gu, '')}` })
      .then(({ name }) => onChange(name), setError)
      .finally(() => setBusy(false))
  }
  return (
    <>
      <div className="row">
        <input
          {...shared}
          type="text"
          className={`${shared.className ?? ''} mono sp`}
          dir="auto"
          list={list}
          autoComplete="off"
          placeholder={f.nameOf}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
        <Button busy={busy} aria-describedby={error === undefined ? undefined : problem} onClick={() => chooser.current?.click()}>
          {f.upload}
        </Button>
      </div>
      <input
        ref={chooser}
        type="file"
        hidden
        accept={accept}
        onChange={({ target }) => {
          upload(target.files?.[0])
          // The same file can be chosen again.
          target.value = ''
        }}
      />
      <datalist id={list}>
        {(found.data?.data ?? []).map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
      {error !== undefined && (
        <p className="hint c-bad" role="alert" id={problem}>
          {wordsOf(error).detail}
        </p>
      )}
    </>
  )
}
