import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Periods } from '#src/pages/watch/periods.tsx'
import { totalTiles } from '#src/pages/watch/total-tiles.ts'
import { Tiles } from '#src/patterns/tiles.tsx'
import { Empty } from '#src/ui/empty.tsx'
import { RunBars } from '#src/values/run-bars.tsx'
import { number } from '#src/values/format.ts'

const dayMs = 86_400_000
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** The figures of one workflow, and where its runs fault. */
export function WorkflowInsights({ id }: { readonly id: string }) {
  const i = m.workflowInsights
  const [days, setDays] = useState('7')
  const query = useQuery({
    queryKey: ['insights', id, days],
    placeholderData: keepPreviousData,
    queryFn: () =>
      api.analytics.workflow({ params: { id }, query: { from: new Date(Date.now() - Number(days) * dayMs).toISOString(), zone } }),
  })
  return (
    <div className="page wide">
      <div className="row">
        <span className="sp" />
        <Periods days={days} onChoose={setDays} />
      </div>
      <Loaded query={query}>
        {({ totals, previous, buckets, failures }) =>
          totals.executions === 0 ? (
            <Empty title={m.insights.emptyTitle} text={m.insights.emptyText} />
          ) : (
            <>
              <Tiles tiles={totalTiles(totals, previous.totals)} />
              <section className="panel acard chart-card">
                <h2 className="t14 bb">{m.insights.perTime}</h2>
                <RunBars buckets={buckets} />
              </section>
              <section className="panel acard chart-card">
                <h2 className="t14 bb">{i.failures}</h2>
                {failures.length === 0 ? (
                  <p className="i2">{i.none}</p>
                ) : (
                  <ul className="failures">
                    {failures.map(({ task, errorType, executions }) => (
                      <li key={`${task} ${errorType}`}>
                        <bdi className="mono b trunc">{stepOf(task) ?? i.whole}</bdi>
                        <span className="i2 trunc">{errorType.split('/').at(-1)}</span>
                        <span className="failure-bar" aria-hidden="true">
                          <i style={{ inlineSize: `${(100 * executions) / (failures[0]?.executions ?? executions)}%` }} />
                        </span>
                        <span className="num">{number(executions)}</span>
                        <Link to="/runs" search={{ workflowId: id, state: 'faulted', errorType }} className="t13">
                          {i.see}
                        </Link>
                      </li>
                    ))}
                  </ul>
                )}
              </section>
            </>
          )
        }
      </Loaded>
    </div>
  )
}

/** The name of a task is the last part of its pointer. */
function stepOf(pointer: string): string | undefined {
  return pointer.split('/').findLast((part) => part !== '' && !/^\d+$/.test(part) && part !== 'do')
}
