import type { OpenLens } from '#src/editor/inspector/use-lens.ts'
import { m } from '#src/messages/messages.ts'
import type { LensRow } from '#src/rehearse/lens.ts'

/** What an expression makes of the rehearsed values: its stages with the value after each. */
export function LensView({ lens, problem }: OpenLens) {
  const l = m.flowEditor.lens
  if (lens === undefined && problem === undefined) return null
  const rows = lens?.kind === 'stages' ? lens.rows : []
  return (
    <section className={problem === undefined ? 'jq-lens' : 'jq-lens stale'} aria-label={l.title}>
      {problem !== undefined && (
        <p className="lens-note t12 c-bad" dir="ltr">
          {problem}
        </p>
      )}
      {rows.length > 0 && (
        <ol dir="ltr">
          {rows.map((row, index) => (
            <li key={index}>
              <Row row={row} />
            </li>
          ))}
        </ol>
      )}
      {lens?.kind === 'unknown' && <p className="lens-note t12 i3">{l.unknown}</p>}
      {(rows.at(-1)?.count ?? 0) > 1 && <p className="lens-note t12 i3">{l.takesFirst}</p>}
    </section>
  )
}

function Row({ row }: { readonly row: LensRow }) {
  const { code, collects, inside, reached, error, values, count } = row
  const summary = (
    <>
      <span className={inside === undefined ? 'lens-code' : 'lens-code lens-inside'}>
        {inside !== undefined && (
          <span className="t12 i3" dir="auto">
            {m.flowEditor.lens.inside[inside]}{' '}
          </span>
        )}
        <code>{collects ? '[ … ]' : code.replaceAll(/\s+/g, ' ')}</code>
      </span>
      <span className={error === undefined ? 'lens-value' : 'lens-value c-bad'}>
        <Short row={row} />
      </span>
      {count > 1 && <span className="lens-count">{countOf(row)}</span>}
    </>
  )
  if (!reached || (values.length === 0 && error === undefined)) return <div className="lens-row pale">{summary}</div>
  return (
    <details>
      {/* The press keeps the focus and the caret in the field. */}
      <summary className="lens-row" onMouseDown={(event) => event.preventDefault()}>
        {summary}
      </summary>
      <Whole row={row} />
    </details>
  )
}

function Short({ row: { reached, error, values } }: { readonly row: LensRow }) {
  const l = m.flowEditor.lens
  const [first] = values
  if (!reached) return l.notReached
  if (error !== undefined) return error.limit === undefined ? error.message : l.tooMuch
  return first === undefined ? l.nothing : first.text.slice(0, 200)
}

function countOf({ count, counted }: LensRow): string {
  return counted ? `×${count}` : `>${count}`
}

function Whole({ row: { code, collects, values, count, error } }: { readonly row: LensRow }) {
  const l = m.flowEditor.lens
  return (
    <div className="lens-whole">
      {!collects && code.length > 24 && <pre className="json i2">{code}</pre>}
      {values.map(({ text, cut }, index) => (
        <pre key={index} className="json">
          {cut ? `${text}…` : JSON.stringify(JSON.parse(text), undefined, 2)}
        </pre>
      ))}
      {count > values.length && (
        <p className="t12 i3" dir="auto">
          {l.more(count - values.length)}
        </p>
      )}
      {error !== undefined && <p className="t12 c-bad">{error.message}</p>}
    </div>
  )
}
