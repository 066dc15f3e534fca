import type { groups, Reply } from '@millrace/contract'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { readAgain } from '#src/pages/assistant/read-again.ts'
import { Badge, type Tone } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { ProblemPanel } from '#src/ui/problem.tsx'
import { Time } from '#src/ui/time.tsx'
import { JsonView } from '#src/values/json-view.tsx'

export type Proposal = Reply<(typeof groups)['assistant']['proposals']>['data'][number]

const tones: Readonly<Record<Proposal['state'], Tone>> = {
  pending: 'wait',
  confirmed: 'race',
  done: 'ok',
  failed: 'bad',
  rejected: 'off',
  expired: 'off',
}

/** An action that a person confirms exactly as it is shown, or rejects. */
export function ProposalCard({ proposal }: { readonly proposal: Proposal }) {
  const a = m.assistant
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const decide = (work: () => Promise<unknown>) => {
    setBusy(true)
    setProblem(undefined)
    void work()
      .catch(setProblem)
      .then(() => readAgain(queries))
      .finally(() => setBusy(false))
  }
  const { id, kind, summary, action, digest, state, reason, result, expiresAt } = proposal
  const confirm = () =>
    kind === 'schedule.create'
      ? api.assistant.confirmSchedule({ body: { proposalId: id, digest } })
      : api.assistant.confirm({ body: { proposalId: id, digest } })
  return (
    <section className="panel proposal" aria-label={summary}>
      <p className="row wrap">
        <b className="b">{a.kinds[kind]}</b>
        <Badge tone={tones[state]}>{a.states[state]}</Badge>
        <span className="sp" />
        {state === 'pending' && (
          <span className="t12 i3">
            {a.expires} <Time at={expiresAt} kind="ago" />
          </span>
        )}
      </p>
      <p>
        <bdi>{summary}</bdi>
      </p>
      <JsonView value={action} title={a.exactly} />
      {reason !== null && <p className="t13 i2">{reason}</p>}
      {result !== null && <Made result={result} />}
      {problem !== undefined && <ProblemPanel error={problem} />}
      {(state === 'pending' || state === 'confirmed') && (
        <div className="row">
          <Button look="primary" busy={busy} onClick={() => decide(confirm)}>
            {state === 'pending' ? a.confirm : a.learnResult}
          </Button>
          {state === 'pending' && (
            <Button disabled={busy} onClick={() => decide(() => api.assistant.reject({ body: { proposalId: id } }))}>
              {a.reject}
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

/** Links to what a confirmed action made. */
function Made({ result }: { readonly result: unknown }) {
  const { executionId, triggerId } = Object(result)
  return (
    <p className="row wrap t13">
      {typeof executionId === 'string' && <Link to={`/runs/${executionId}`}>{m.approvals.toRun}</Link>}
      {typeof triggerId === 'string' && <Link to={`/triggers/${triggerId}`}>{m.assistant.toStart}</Link>}
    </p>
  )
}
