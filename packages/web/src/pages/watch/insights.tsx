import type { groups, Reply } from '@millrace/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { FailingSteps } from '#src/pages/watch/failing-steps.tsx'
import { periodStart } from '#src/pages/watch/period-start.ts'
import { ownZone } from '#src/session/own-zone.ts'
import { Periods } from '#src/pages/watch/periods.tsx'
import { SlowSteps } from '#src/pages/watch/slow-steps.tsx'
import { totalTiles } from '#src/pages/watch/total-tiles.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Page as Shell } from '#src/patterns/page.tsx'
import { Tiles } from '#src/patterns/tiles.tsx'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { CellLabel } from '#src/ui/cell-label.tsx'
import { Empty } from '#src/ui/empty.tsx'
import { RunBars } from '#src/values/run-bars.tsx'
import { durationOr, number, percent } from '#src/values/format.ts'

type Insights = Reply<(typeof groups)['analytics']['workflows']>

export function Page() {
  const i = m.insights
  const navigate = useNavigate()
  const { days = '7' }: { days?: string } = useSearch({ strict: false })
  const query = useQuery({
    queryKey: ['insights', days],
    placeholderData: keepPreviousData,
    queryFn: () => api.analytics.workflows({ query: { from: periodStart(Number(days), ownZone()), zone: ownZone() } }),
  })
  return (
    <Shell title={i.title} actions={<Periods days={days} onChoose={(count) => void navigate({ to: '.', search: { days: count } })} />}>
      <Loaded query={query}>
        {(data) =>
          data.totals.executions === 0 ? (
            <Empty
              title={i.emptyTitle}
              text={i.emptyText}
              action={
                <ButtonLink to="/workflows" look="primary" icon="play">
                  {m.runs.runOne}
                </ButtonLink>
              }
            />
          ) : (
            <Figures data={data} />
          )
        }
      </Loaded>
    </Shell>
  )
}

function Figures({ data }: { readonly data: Insights }) {
  const i = m.insights
  const { totals, previous } = data
  return (
    <>
      <Tiles tiles={totalTiles(totals, previous.totals)} many={totals.savedMinutes !== null} />
      <section className="panel acard chart-card">
        <h2 className="t14 bb">{i.perTime}</h2>
        <RunBars buckets={data.buckets} />
      </section>
      <section className="panel tablewrap chart-card">
        <table className="rows">
          <caption className="vh">{i.byWorkflow}</caption>
          <thead>
            <tr>
              {[i.workflow, i.runs, i.faulted, i.success, i.median, 'p99'].map((head, index) => (
                <th key={head} scope="col" className={index === 0 ? '' : 'end-a'}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.workflows.map((one) => (
              <tr key={one.workflowId}>
                <td data-phone="main">
                  <Link to={`/workflows/${one.workflowId}`} className="row-link b" title={one.name ?? undefined}>
                    <bdi>{one.name ?? i.deleted}</bdi>
                  </Link>
                </td>
                <td className="end-a num" data-phone="side">
                  <CellLabel text={i.runs} />
                  {number(one.executions)}
                </td>
                <td className={one.faulted > 0 ? 'end-a num c-bad' : 'end-a num'}>{number(one.faulted)}</td>
                <td className="end-a num" data-phone="below">
                  <CellLabel text={i.success} />
                  {percent(one.successRate)}
                </td>
                <td className="end-a num" data-phone="below-side">
                  <CellLabel text={i.median} />
                  {durationOr(one.durationMs.p50)}
                </td>
                <td className="end-a num">{durationOr(one.durationMs.p99)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <SlowSteps tasks={data.slowestTasks} />
      {data.failures.length > 0 && <FailingSteps failures={data.failures} />}
    </>
  )
}
