import { Link } from '@tanstack/react-router'
import { m } from '#src/messages/messages.ts'
import { stepOf } from '#src/pages/watch/step-of.ts'
import { duration, number } from '#src/values/format.ts'

export interface SlowTask {
  readonly task: string
  readonly attempts: number
  readonly meanMs: number
  readonly longestMs: number
  readonly workflowId?: string
  /** Absent on the page of the workflow itself. */
  readonly workflowName?: string | null
}

/** The steps that take longest on average, with their longest attempt. */
export function SlowSteps({ tasks }: { readonly tasks: readonly SlowTask[] }) {
  const i = m.workflowInsights
  if (tasks.length === 0) return undefined
  const longest = Math.max(1, tasks[0]?.meanMs ?? 1)
  return (
    <section className="panel acard chart-card">
      <h2 className="t14 bb">{i.slowest}</h2>
      <ul className="failures">
        {tasks.map(({ task, attempts, meanMs, longestMs, workflowId, workflowName }) => (
          <li key={`${workflowId} ${task}`}>
            <bdi className="mono b trunc">{stepOf(task)}</bdi>
            <span className="i2 trunc">
              {workflowId !== undefined && (
                <>
                  <Link to={`/workflows/${workflowId}`}>{workflowName ?? m.insights.deleted}</Link>
                  {' · '}
                </>
              )}
              {i.attempts(number(attempts))}
            </span>
            <span className="failure-bar time-bar" aria-hidden="true">
              <i style={{ inlineSize: `${(100 * meanMs) / longest}%` }} />
            </span>
            <span className="num">{duration(meanMs)}</span>
            <span className="t13 i3 num">{i.longest(duration(longestMs))}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
