import { Link } from '@tanstack/react-router'
import { m } from '#src/messages/messages.ts'
import { stepOf } from '#src/pages/watch/step-of.ts'
import { number } from '#src/values/format.ts'

export interface Failure {
  readonly task: string
  readonly errorType: string
  readonly executions: number
  readonly workflowId: string
  /** Undefined on the page of the workflow itself. */
  readonly workflowName?: string | null
}

/** The steps at which runs fault most often. */
export function FailingSteps({ failures }: { readonly failures: readonly Failure[] }) {
  const i = m.workflowInsights
  return (
    <section className="panel acard chart-card">
      <h2 className="t14 bb">{i.failures}</h2>
      {failures.length === 0 ? (
        <p className="i2">{i.none}</p>
      ) : (
        <ul className="failures">
          {failures.map(({ task, errorType, executions, workflowId, workflowName }) => (
            <li key={`${workflowId} ${task} ${errorType}`}>
              <bdi className="mono b trunc">{stepOf(task) ?? i.whole}</bdi>
              <span className="i2 trunc">{[workflowName, errorType.split('/').at(-1)].filter(Boolean).join(' · ')}</span>
              <span className="failure-bar" aria-hidden="true">
                <i style={{ inlineSize: `${(100 * executions) / (failures[0]?.executions ?? executions)}%` }} />
              </span>
              <span className="num">{number(executions)}</span>
              <Link to="/runs" search={{ workflowId, state: 'faulted', errorType }} className="t13">
                {i.see}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
