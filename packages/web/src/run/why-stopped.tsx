import { useState } from 'react'
import { m } from '#src/messages/messages.ts'
import { errorWords } from '#src/run/error-words.ts'
import type { TaskState } from '#src/run/task-states.ts'
import type { RunDetail, TimelineEntry } from '#src/run/use-run.ts'
import { Button } from '#src/ui/button.tsx'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { onDemand } from '#src/ui/on-demand.tsx'

const ExplainSheet = onDemand(() => import('#src/run/explain-sheet.tsx').then((module) => module.ExplainSheet))

interface WhyProps {
  readonly run: RunDetail
  readonly error: NonNullable<TimelineEntry['error']>
  readonly states: ReadonlyMap<string, TaskState>
  readonly select: (reference: string) => void
}

/** Where and why a run stopped, in one sentence, with the way to the step. */
export function WhyStopped({ run, error, states, select }: WhyProps) {
  const [explaining, setExplaining] = useState(false)
  const failed =
    [...states.values()].findLast(({ state, last }) => state === 'faulted' && last.error?.instance === error.instance) ??
    [...states.values()].findLast(({ state }) => state === 'faulted')
  const name = failed?.last.name
  return (
    <>
      <section className="why" aria-label={m.run.why}>
        <div className="grow">
          <h2>{m.run.why}</h2>
          <p>
            {name !== undefined && <bdi className="mono b">{name}</bdi>} <span className="c-bad b">{errorWords(error)}</span>
            {failed !== undefined && failed.attempts > 1 && ` · ${m.run.tries(failed.attempts)}`}
          </p>
          {error.detail !== undefined && <p className="t13 i2 prewrap">{error.detail}</p>}
        </div>
        <div className="row wrap">
          <Button look="quiet" onClick={() => setExplaining(true)}>
            {m.explain.open}
          </Button>
          {failed !== undefined && <Button onClick={() => select(failed.last.reference)}>{m.run.seeStep}</Button>}
          <ButtonLink to={`/workflows/${run.workflowId}${failed === undefined ? '' : `?at=${encodeURIComponent(failed.last.reference)}`}`}>
            {m.run.fixStep}
          </ButtonLink>
        </div>
      </section>
      {explaining && <ExplainSheet run={run} error={error} onClose={() => setExplaining(false)} />}
    </>
  )
}
