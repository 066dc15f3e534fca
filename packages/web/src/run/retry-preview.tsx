import type { JsonValue } from '@millrace/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '#src/api/client.ts'
import { boot } from '#src/boot.ts'
import { m } from '#src/messages/messages.ts'
import type { RetryPreview as Previewed } from '#src/rehearse/run-record.ts'
import { readRecord } from '#src/run/read-record.ts'
import type { RunDetail } from '#src/run/use-run.ts'
import { KindIcon } from '#src/ui/icon.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { useRested } from '#src/values/use-rested.ts'

interface PreviewProps {
  readonly run: RunDetail
  readonly latest: boolean
  readonly input: JsonValue
  /** Gets what was found, and undefined while nothing is known. */
  readonly onKnown: (preview: Previewed | undefined) => void
}

/** What a retry will take over and do, computed on this device from the record of the run. */
export function RetryPreview({ onKnown, ...props }: PreviewProps) {
  const { run, latest, input } = useRested(props)
  const preview = useQuery({
    queryKey: ['retry-preview', run.id, latest, input],
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: () => previewOf(run, latest, input),
  })
  const { data } = preview
  useEffect(() => onKnown(data), [data, onKnown])
  return (
    <section className="retry-preview" aria-label={m.runView.preview} aria-live="polite">
      <b className="b">{m.runView.preview}</b>
      {preview.isPending && <Skeleton />}
      {preview.isError && <p className="i2 t13">{m.runView.noPreview(preview.error.message)}</p>}
      {data !== undefined && <What preview={data} latest={latest} />}
    </section>
  )
}

async function previewOf(run: RunDetail, latest: boolean, input: JsonValue): Promise<Previewed> {
  const [record, { previewRetry }] = await Promise.all([readRecord(run.id), import('#src/rehearse/run-record.ts')])
  const other = latest ? await otherVersion(run) : undefined
  return previewRetry(record, { input, definition: other, version: boot.version })
}

/** The definition of the latest version, unless the run has it already. */
async function otherVersion(run: RunDetail) {
  const params = { id: run.workflowId }
  const { version } = await api.workflows.get({ params })
  if (version === null || version === run.workflowVersion) return undefined
  return (await api.workflows.get({ params, query: { version } })).definition
}

function What({ preview: { taken, first, again, end, secret }, latest }: { readonly preview: Previewed; readonly latest: boolean }) {
  const v = m.runView
  if (typeof end === 'object' && 'unfit' in end) return <p className="c-bad t13">{v.unfitInput(end.unfit)}</p>
  return (
    <dl className="facts-l">
      <dt>{v.taken}</dt>
      <dd>{taken.size === 0 ? v.takenNone : <Names counts={taken} />}</dd>
      {again.size > 0 && (
        <>
          <dt className="c-wait">{v.again}</dt>
          <dd>
            <Names counts={again} />
            <p className="t12 c-wait">{latest ? v.againLatest : v.againText}</p>
          </dd>
        </>
      )}
      {typeof end !== 'object' && (
        <>
          <dt>{v.first}</dt>
          <dd>
            {first.map(({ position, name, kind }) => (
              <span key={position} className="row">
                <KindIcon kind={kind === 'call' ? 'http' : kind} />
                <bdi className="mono b">{name}</bdi>
              </span>
            ))}
            {end === 'completes' && v.completes}
          </dd>
        </>
      )}
      {secret && <dd className="t12 i3">{v.previewSecret}</dd>}
    </dl>
  )
}

function Names({ counts }: { readonly counts: ReadonlyMap<string, number> }) {
  return (
    <span className="row wrap">
      {Array.from(counts, ([name, count]) => (
        <bdi key={name} className="mono badge line">
          {count > 1 ? `${name} ×${count}` : name}
        </bdi>
      ))}
    </span>
  )
}
