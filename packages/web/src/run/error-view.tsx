import { errorDetail } from '#src/run/error-detail.ts'
import { errorWords } from '#src/run/error-words.ts'
import type { TimelineEntry } from '#src/run/use-run.ts'
import { JsonView } from '#src/values/json-view.tsx'

/** An error in words, whole, and as the run has it. */
export function ErrorView({ error }: { readonly error: TimelineEntry['error'] }) {
  if (error === undefined) return null
  return (
    <div className="form">
      <p className="t16">
        <b className="c-bad bb">{errorWords(error)}</b>
      </p>
      {error.detail !== undefined && (
        <p className="prewrap" dir="auto">
          {errorDetail(error.detail)}
        </p>
      )}
      <JsonView value={error} title={error.type.split('/').at(-1)} />
    </div>
  )
}
