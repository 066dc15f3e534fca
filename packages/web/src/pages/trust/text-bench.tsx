import type { groups, Reply } from '@millrace/contract'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { CopyButton } from '#src/ui/id.tsx'
import { percent } from '#src/values/format.ts'

type Checked = Reply<(typeof groups)['privacy']['check']>
type Span = Checked['spans'][number]

const operators = ['replace', 'mask', 'hash', 'encrypt'] as const

interface Result {
  readonly text: string
  readonly spans: readonly Span[]
  readonly redacted: string
}

/** A text, what is found in it, and how it looks redacted. */
export function TextBench() {
  const p = m.privacy
  const [result, setResult] = useState<Result>()
  const first: { readonly text: string; readonly operator: (typeof operators)[number] } = { text: p.sample, operator: 'replace' }
  return (
    <div className="bench">
      <section className="panel acard">
        <DataForm
          initial={first}
          fields={[
            { name: 'text', label: p.text, kind: 'textarea', rows: 8, required: true, hint: p.textHint },
            { name: 'operator', label: p.redactBy, kind: 'select', options: operators.map((one) => [one, p.operators[one]] as const) },
          ]}
          send={async ({ text, operator }) => {
            const { text: redacted, spans } = await api.privacy.redact({ body: { text, operator, purpose: 'Trial in the web UI' } })
            setResult({ text, spans, redacted })
          }}
          label={p.check}
        />
      </section>
      <section className="panel acard" aria-live="polite">
        {result === undefined ? <p className="i2">{p.nothingYet}</p> : <Found result={result} />}
      </section>
    </div>
  )
}

function Found({ result: { text, spans, redacted } }: { readonly result: Result }) {
  const p = m.privacy
  return (
    <>
      <h2 className="t14 bb">{p.found(spans.length)}</h2>
      <p className="prewrap marked-text" dir="auto">
        {piecesOf(text, spans).map((piece, index) =>
          piece.span === undefined ? (
            <span key={index}>{piece.text}</span>
          ) : (
            <mark key={index} title={`${p.kindOf(piece.span.kind)} · ${percent(piece.span.score)} · ${piece.span.rule}`}>
              {piece.text}
              <small>{p.kindOf(piece.span.kind)}</small>
            </mark>
          ),
        )}
      </p>
      <div className="row between">
        <h2 className="t14 bb">{p.redacted}</h2>
        <CopyButton text={redacted} />
      </div>
      <p className="prewrap wrap-any t13" dir="auto">
        {redacted}
      </p>
    </>
  )
}

interface Piece {
  readonly text: string
  readonly span?: Span
}

/** The text cut at the findings, which are in order and do not overlap. */
function piecesOf(text: string, spans: readonly Span[]): readonly Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const span of spans) {
    pieces.push({ text: text.slice(at, span.start) }, { text: text.slice(span.start, span.end), span })
    at = span.end
  }
  return [...pieces, { text: text.slice(at) }]
}
