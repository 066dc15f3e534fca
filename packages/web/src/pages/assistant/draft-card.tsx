import type { groups, Reply } from '@millrace/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { readAgain } from '#src/pages/assistant/read-again.ts'
import { Badge, type Tone } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'

export type Draft = Reply<(typeof groups)['assistant']['drafts']>['data'][number]

const tones: Readonly<Record<Draft['state'], Tone>> = { draft: 'wait', sent: 'ok', rejected: 'off' }

/** An e-mail that is sent only when a person approves it. */
export function DraftCard({ draft }: { readonly draft: Draft }) {
  const a = m.assistant
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [rejecting, setRejecting] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const { id, to, subject, body, digest, state, reason } = draft
  const changed = () => readAgain(queries)
  const approve = () => {
    setBusy(true)
    setProblem(undefined)
    api.assistant
      .approveDraft({ params: { id }, body: { digest } })
      .then(changed)
      .catch(setProblem)
      .finally(() => setBusy(false))
  }
  return (
    <section className="panel proposal" aria-label={subject}>
      <p className="row wrap">
        <b className="b">{a.email}</b>
        <Badge tone={tones[state]}>{a.draftStates[state]}</Badge>
      </p>
      <p className="t13 i2">
        {a.to} <bdi>{to.join(', ')}</bdi>
      </p>
      <p className="b" dir="auto">
        {subject}
      </p>
      <p className="prewrap" dir="auto">
        {body}
      </p>
      {reason !== null && <p className="t13 i2">{reason}</p>}
      {problem !== undefined && <ProblemPanel error={problem} />}
      {state === 'draft' && !rejecting && (
        <div className="row">
          <Button look="primary" busy={busy} onClick={approve}>
            {a.sendMail}
          </Button>
          <Button disabled={busy} onClick={() => setRejecting(true)}>
            {a.reject}
          </Button>
        </div>
      )}
      {state === 'draft' && rejecting && (
        <DataForm
          danger
          initial={{ reason: '' }}
          fields={[{ name: 'reason', label: a.why, required: true, autoFocus: true }]}
          send={(values) => api.assistant.rejectDraft({ params: { id }, body: { reason: values.reason } }).then(changed)}
          label={a.reject}
          beside={<Button onClick={() => setRejecting(false)}>{m.common.back}</Button>}
        />
      )}
    </section>
  )
}
