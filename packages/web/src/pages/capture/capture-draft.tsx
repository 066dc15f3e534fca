import type { groups, Reply } from '@millrace/contract'
import { m } from '#src/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'
import { ButtonLink } from '#src/ui/button-link.tsx'

type Draft = Reply<(typeof groups)['livecapture']['stop']>['draft']

/** What a capture became, and what to check before it is published. */
export function CaptureDraft({ draft, again }: { readonly draft: Draft; readonly again: () => void }) {
  const c = m.capture
  const counts = [
    [c.pages, draft.pages],
    [c.calls, draft.calls],
    [c.manual, draft.manualSteps],
  ] as const
  return (
    <section className="panel acard" role="status">
      <h2 className="t16 bb">{m.importing.made(draft.name)}</h2>
      <dl className="report-counts">
        {counts.map(([word, count]) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd className="num">{count}</dd>
          </div>
        ))}
      </dl>
      {draft.inputs.length > 0 && (
        <p className="t13 i2">
          {c.inputs} <bdi className="mono">{draft.inputs.join(', ')}</bdi>
        </p>
      )}
      {draft.notes.length > 0 && (
        <>
          <h3 className="t13 b">{c.check}</h3>
          <ul className="plain-list t13 i2">
            {draft.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </>
      )}
      <div className="row wrap">
        <ButtonLink to={`/workflows/${draft.workflowId}`} look="primary">
          {m.importing.open}
        </ButtonLink>
        <Button onClick={again}>{c.again}</Button>
      </div>
    </section>
  )
}
