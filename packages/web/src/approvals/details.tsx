import type { FilePlace } from '#src/shown-files/file-content.ts'
import type { NamedFile } from '#src/shown-files/shown-file.tsx'
import { m } from '#src/messages/messages.ts'
import { onDemand } from '#src/ui/on-demand.tsx'
import { readableNumber } from '#src/values/format.ts'
import { JsonView } from '#src/values/json-view.tsx'

const ShownFile = onDemand(() => import('#src/shown-files/shown-file.tsx').then((module) => module.ShownFile))
const ShownFiles = onDemand(() => import('#src/shown-files/shown-files.tsx').then((module) => module.ShownFiles))

interface DetailsProps {
  readonly details: unknown
  /** Those that the details name. */
  readonly files: readonly NamedFile[]
  readonly placeOf: (file: NamedFile) => FilePlace
}

/** What an approval is decided by. Flat details read best as a table. */
export function Details({ details, files, placeOf }: DetailsProps) {
  const entries = typeof details === 'object' && details !== null && !Array.isArray(details) ? Object.entries(details) : []
  if (entries.length === 0 || entries.some(([, value]) => typeof value === 'object' && value !== null))
    return (
      <>
        <JsonView value={details} />
        {files.length > 0 && <ShownFiles label={m.approvals.files} files={files} placeOf={placeOf} />}
      </>
    )
  return (
    <dl className="facts">
      {entries.map(([key, value]) => {
        const file = files.find(({ name }) => name === value)
        return (
          <div key={key}>
            <dt>{key}</dt>
            <dd className="num">{file === undefined ? <Plain value={value} /> : <ShownFile file={file} place={placeOf(file)} />}</dd>
          </div>
        )
      })}
    </dl>
  )
}

/** A number with many decimals is rounded; the whole is its tooltip. */
function Plain({ value }: { readonly value: unknown }) {
  const whole = String(value)
  const text = typeof value === 'number' ? readableNumber(value) : whole
  return <bdi title={text === whole ? undefined : whole}>{text}</bdi>
}
