import type { FilePlace } from '#src/shown-files/file-content.ts'
import type { NamedFile } from '#src/shown-files/shown-file.tsx'
import { m } from '#src/messages/messages.ts'
import { onDemand } from '#src/ui/on-demand.tsx'
import { factsOf, readableValue } from '#src/values/facts.ts'
import { JsonView } from '#src/values/json-view.tsx'

const ShownFile = onDemand(() => import('#src/shown-files/shown-file.tsx').then((module) => module.ShownFile))
const ShownFiles = onDemand(() => import('#src/shown-files/shown-files.tsx').then((module) => module.ShownFiles))

interface DetailsProps {
  readonly details: unknown
  /** Those that the details name. */
  readonly files: readonly NamedFile[]
  readonly placeOf: (file: NamedFile) => FilePlace
}

/** What an approval is decided by: a table for people where the details are objects of plain values, else JSON. */
export function Details({ details, files, placeOf }: DetailsProps) {
  const facts = factsOf(details)
  const elsewhere = files.filter(({ name }) => facts?.some(({ value }) => value === name) !== true)
  return (
    <>
      {facts === undefined ? (
        <JsonView value={details} />
      ) : (
        <dl className="facts">
          {facts.map(({ path, label, value }) => {
            const file = files.find(({ name }) => name === value)
            return (
              <div key={path}>
                <dt title={path.slice(1)}>{label}</dt>
                <dd className="num">{file === undefined ? <Plain value={value} /> : <ShownFile file={file} place={placeOf(file)} />}</dd>
              </div>
            )
          })}
        </dl>
      )}
      {elsewhere.length > 0 && <ShownFiles label={m.approvals.files} files={elsewhere} placeOf={placeOf} />}
    </>
  )
}

/** Where the form for people is another one, the value itself is the tooltip. */
function Plain({ value }: { readonly value: unknown }) {
  const whole = String(value)
  const text = readableValue(value)
  return <bdi title={text === whole ? undefined : whole}>{text}</bdi>
}
