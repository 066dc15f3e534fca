import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import { FailingSteps } from '#src/pages/watch/failing-steps.tsx'
import { periodStart } from '#src/pages/watch/period-start.ts'
import { ownZone } from '#src/session/own-zone.ts'
import { Periods } from '#src/pages/watch/periods.tsx'
import { SlowSteps } from '#src/pages/watch/slow-steps.tsx'
import { totalTiles } from '#src/pages/watch/total-tiles.ts'
import { Tiles } from '#src/patterns/tiles.tsx'
import { Empty } from '#src/ui/empty.tsx'
import { RunBars } from '#src/values/run-bars.tsx'

/** The figures of one workflow, its slowest steps, and where its runs fault. */
export function WorkflowInsights({ id }: { readonly id: string }) {
  const [days, setDays] = useState('7')
  const query = useQuery({
    queryKey: ['insights', id, days],
    placeholderData: keepPreviousData,
    queryFn: () => api.analytics.workflow({ params: { id }, query: { from: periodStart(Number(days), ownZone()), zone: ownZone() } }),
  })
  return (
    <div className="page wide">
      <div className="row">
        <span className="sp" />
        <Periods days={days} onChoose={setDays} />
      </div>
      <Loaded query={query}>
        {({ totals, previous, buckets, failures, slowestTasks }) =>
          totals.executions === 0 ? (
            <Empty title={m.insights.emptyTitle} text={m.insights.emptyText} />
          ) : (
            <>
              <Tiles tiles={totalTiles(totals, previous.totals)} many={totals.savedMinutes !== null} />
              <section className="panel acard chart-card">
                <h2 className="t14 bb">{m.insights.perTime}</h2>
                <RunBars buckets={buckets} />
              </section>
              <SlowSteps tasks={slowestTasks} />
              <FailingSteps failures={failures.map((one) => ({ ...one, workflowId: id }))} />
            </>
          )
        }
      </Loaded>
    </div>
  )
}
