import { m } from '#src/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { Time } from '#src/ui/time.tsx'
import { bytes } from '#src/values/format.ts'

interface PreparedFile {
  readonly state: 'preparing' | 'ready' | 'failed'
  readonly failure: string | null
  readonly progress: { readonly done: number; readonly total: number | null }
  readonly bytes: number | null
  readonly sha256: string | null
  readonly download: { readonly url: string } | null
  readonly expiresAt: string
}

/** A file that the server prepares in the background: how far it is, then where it is. A link works once, so `again` asks for the next one. */
export function FileProgress({ file, again }: { readonly file: PreparedFile; readonly again: () => void }) {
  const f = m.files
  const { state, progress, download } = file
  if (state === 'failed')
    return (
      <section className="problem" role="alert">
        <h2>{f.failed}</h2>
        <p className="i2">{file.failure}</p>
        <Button onClick={again}>{m.common.tryAgain}</Button>
      </section>
    )
  if (state === 'preparing' || download === null)
    return (
      <div className="form" role="status">
        <p>{f.preparing(progress.done, progress.total)}</p>
        <progress
          className="meter"
          aria-label={f.preparing(progress.done, progress.total)}
          {...(progress.total === null ? {} : { max: progress.total, value: progress.done })}
        />
      </div>
    )
  return (
    <div className="form" role="status">
      <p>
        {f.ready} {file.bytes !== null && <span className="num">{bytes(file.bytes)}</span>}
      </p>
      <div className="row">
        <a className="btn primary" href={download.url} download onClick={() => setTimeout(again, 2000)}>
          <Icon name="download" />
          {f.download}
        </a>
      </div>
      <p className="t13 i2">
        {f.kept} <Time at={file.expiresAt} kind="ago" />
      </p>
      {file.sha256 !== null && (
        <p className="t12 i3">
          SHA-256 <bdi className="mono wrap-any">{file.sha256}</bdi>
        </p>
      )}
    </div>
  )
}
