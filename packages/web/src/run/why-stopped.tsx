import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { roleWithoutModel } from '@millrace/contract'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { errorDetail } from '#src/run/error-detail.ts'
import { errorWords } from '#src/run/error-words.ts'
import type { TaskState } from '#src/run/task-states.ts'
import type { RunDetail, TimelineEntry } from '#src/run/use-run.ts'
import { useIsAdmin } from '#src/session/use-is-admin.ts'
import { useMay } from '#src/session/use-may.ts'
import { stateWord } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { onDemand } from '#src/ui/on-demand.tsx'

const ExplainSheet = onDemand(() => import('#src/run/explain-sheet.tsx').then((module) => module.ExplainSheet))

interface WhyProps {
  readonly run: RunDetail
  /** The page on which its workflow is changed. */
  readonly edited: string
  readonly error: NonNullable<TimelineEntry['error']>
  readonly states: ReadonlyMap<string, TaskState>
  /** The step of the flow that stands for a task. */
  readonly drawn: (reference: string) => string
  readonly select: (reference: string) => void
}

/** Where and why a run stopped, in one sentence, with the way to the step. */
export function WhyStopped({ run, edited, error, states, drawn, select }: WhyProps) {
  const [explaining, setExplaining] = useState(false)
  const task =
    [...states.values()].findLast(({ state, last }) => state === 'faulted' && last.error?.instance === error.instance) ??
    [...states.values()].findLast(({ state }) => state === 'faulted')
  const failed = task && (states.get(drawn(task.last.reference)) ?? task)
  const name = failed?.last.name
  const role = roleWithoutModel(error.detail)
  const mayAdd = useIsAdmin()
  const mayChange = useMay('workflows:write')
  return (
    <>
      <section className="why" aria-label={m.run.why}>
        <div className="grow">
          <h2>{m.run.why}</h2>
          <p>
            {name !== undefined && <bdi className="mono b">{name}</bdi>} <span className="c-bad b">{errorWords(error)}</span>
            {failed !== undefined && failed.attempts > 1 && ` · ${m.run.tries(failed.attempts)}`}
          </p>
          {error.detail !== undefined && (
            <p className="t13 i2 prewrap" dir="auto">
              {errorDetail(error.detail)}
            </p>
          )}
          {run.retriedBy !== undefined && <Retried by={run.retriedBy} />}
        </div>
        <div className="row wrap">
          <Button look="quiet" onClick={() => setExplaining(true)}>
            {m.explain.open}
          </Button>
          {failed !== undefined && <Button onClick={() => select(failed.last.reference)}>{m.run.seeStep}</Button>}
          {role !== undefined && mayAdd && <ButtonLink to="/settings/models">{m.ownModels.add}</ButtonLink>}
          {role === undefined && mayChange && (
            <ButtonLink to={`${edited}${failed === undefined ? '' : `?at=${encodeURIComponent(failed.last.reference)}`}`}>
              {edited.startsWith('/chains/') ? m.run.fixChain : m.run.fixStep}
            </ButtonLink>
          )}
        </div>
      </section>
      {explaining && <ExplainSheet run={run} error={error} onClose={() => setExplaining(false)} />}
    </>
  )
}

/** What became of the retries of the run. */
function Retried({ by }: { readonly by: string }) {
  const last = useQuery({ queryKey: ['run', by, 'retries'], queryFn: () => lastRetry(by) })
  if (last.data === undefined) return null
  const { id, state } = last.data
  return (
    <p className="row wrap t13">
      <span className={state === 'completed' ? 'c-ok b' : 'i2'}>{m.run.retried(state === 'completed', stateWord(state))}</span>
      <Link to={`/runs/${id}`}>{m.run.seeRetry}</Link>
    </p>
  )
}

const retriesMax = 20

/** A retry that failed may have been retried itself. */
async function lastRetry(first: string): Promise<RunDetail> {
  const read = (executionId: string) => api.workflows.execution({ params: { executionId }, query: { limit: 1 } })
  let run = await read(first)
  for (let retries = 1; run.retriedBy !== undefined && retries < retriesMax; retries++) run = await read(run.retriedBy)
  return run
}
