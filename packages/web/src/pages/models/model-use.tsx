import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { groups, Reply } from '@millrace/contract'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { CallEnd } from '#src/models/call-end.tsx'
import { CallTexts, type ModelCall } from '#src/models/call-texts.tsx'
import { costText } from '#src/models/cost-text.ts'
import { useModelCurrency } from '#src/models/use-model-currency.ts'
import { SpendingLimits } from '#src/pages/models/spending-limits.tsx'
import { ListPage } from '#src/patterns/list-page.tsx'
import { PeriodFilter, queryOf } from '#src/patterns/period-filter.tsx'
import { Tiles } from '#src/patterns/tiles.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Button } from '#src/ui/button.tsx'
import { shortId } from '#src/ui/id.tsx'
import { Time } from '#src/ui/time.tsx'
import { DayBars } from '#src/values/day-bars.tsx'
import { durationOr, number } from '#src/values/format.ts'

type Use = Reply<(typeof groups)['modelCalls']['usage']>
type Sums = Pick<Use, 'calls' | 'failed' | 'inputTokens' | 'outputTokens' | 'cost'>

const days = 30

/** The calls of models of the account, what they cost, and what was said. */
export function Page() {
  const u = m.modelUse
  const { open, sheet } = useSheet()
  const currency = useModelCurrency()
  const { cursor: _cursor, limit: _limit, ...search }: Readonly<Record<string, string>> = useSearch({ strict: false })
  const whole = useQuery({ queryKey: ['model-calls', 'use'], queryFn: () => api.modelCalls.usage({ query: {} }) })
  const use = useQuery({
    queryKey: ['model-calls', 'use', search],
    queryFn: () => api.modelCalls.usage({ query: queryOf(search) }),
    placeholderData: keepPreviousData,
  })
  const workflows = (whole.data?.workflows ?? []).flatMap(({ workflowId, workflowName }) =>
    workflowId === null ? [] : [[workflowId, workflowName ?? `${u.deletedWorkflow} ${shortId(workflowId)}`] as const],
  )
  const names = new Map(workflows)
  return (
    <>
      <ListPage
        title={u.title}
        lede={u.lede}
        name="model-calls"
        load={(query) => api.modelCalls.list({ query: queryOf(query) })}
        id={({ id }) => id}
        above={
          <>
            <SpendingLimits />
            {use.data !== undefined && use.data.calls > 0 && <Figures use={use.data} />}
          </>
        }
        moreFilters={<PeriodFilter />}
        filters={[
          { name: 'model', label: u.model, options: (whole.data?.models ?? []).map(({ model }) => [model, model]) },
          { name: 'workflowId', label: u.workflow, options: workflows },
          {
            name: 'state',
            label: u.ended,
            options: [
              ['answered', u.states.answered],
              ['failed', u.states.failed],
            ],
          },
        ]}
        columns={[
          { head: u.model, phone: 'main', cell: ({ model }) => <bdi className="mono b">{model}</bdi> },
          { head: u.asked, phone: 'below', cell: (call) => <Asked call={call} names={names} /> },
          { head: u.ended, cell: (call) => <CallEnd call={call} /> },
          {
            head: u.tokens,
            end: true,
            phone: 'below-side',
            cell: (call) => (
              <>
                {call.failure !== null && (
                  <span className="phone-only">
                    <CallEnd call={call} />
                  </span>
                )}
                <span className={call.failure === null ? 'num i2' : 'num i2 phone-hide'}>
                  {u.tokensOf(number(call.inputTokens), number(call.outputTokens))}
                </span>
              </>
            ),
          },
          { head: u.cost, end: true, phone: 'side', cell: ({ cost }) => <span className="num">{costText(cost, currency)}</span> },
          { head: u.took, end: true, cell: ({ durationMs }) => <span className="num i2">{durationOr(durationMs)}</span> },
          { head: u.at, end: true, cell: ({ at }) => <Time at={at} /> },
          {
            head: m.common.actions,
            end: true,
            phone: 'foot',
            cell: ({ id }) => (
              <Button size="sm" onClick={() => open(u.openTitle, () => <CallTexts id={id} />)}>
                {u.open}
              </Button>
            ),
          },
        ]}
        empty={{ title: u.emptyTitle, text: u.emptyText }}
      />
      {sheet}
    </>
  )
}

function Asked({ call: { executionId, workflowId }, names }: { readonly call: ModelCall; readonly names: ReadonlyMap<string, string> }) {
  if (executionId === null) return <span className="i2">{m.modelUse.person}</span>
  return (
    <Link to={`/runs/${executionId}`} className="quiet-link b">
      {names.get(workflowId ?? '') ?? shortId(executionId)}
    </Link>
  )
}

function Figures({ use }: { readonly use: Use }) {
  const u = m.modelUse
  const currency = useModelCurrency()
  return (
    <>
      <Tiles
        tiles={[
          [u.calls, number(use.calls), use.failed === 0 ? '' : u.failedOf(number(use.failed))],
          [u.tokens, number(use.inputTokens + use.outputTokens), u.tokensOf(number(use.inputTokens), number(use.outputTokens))],
          [u.cost, costText(use.cost, currency), u.costNote],
        ]}
      />
      <section className="panel acard">
        <DayBars title={u.perDay} days={days} rows={use.days.map(({ day, calls }) => [day, calls] as const)} />
      </section>
      <div className="model-sums">
        <SumTable title={u.byModel} head={u.model} rows={use.models.map(({ model, ...sums }) => [model, { model }, sums])} />
        <SumTable
          title={u.byWorkflow}
          head={u.workflow}
          rows={use.workflows.map(({ workflowId, workflowName, ...sums }) => [
            workflowId === null ? u.person : (workflowName ?? u.deletedWorkflow),
            workflowId === null ? undefined : { workflowId },
            sums,
          ])}
        />
      </div>
    </>
  )
}

interface SumTableProps {
  readonly title: string
  readonly head: string
  /** Each with the filter that shows its calls, if there is one. */
  readonly rows: readonly (readonly [name: string, filter: Readonly<Record<string, string>> | undefined, sums: Sums])[]
}

function SumTable({ title, head, rows }: SumTableProps) {
  const u = m.modelUse
  const currency = useModelCurrency()
  return (
    <section className="panel tablewrap">
      <table className="rows">
        <caption className="t12 i3">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            <th scope="col" className="end-a">
              {u.calls}
            </th>
            <th scope="col" className="end-a">
              {u.failedCalls}
            </th>
            <th scope="col" className="end-a">
              {u.tokens}
            </th>
            <th scope="col" className="end-a">
              {u.cost}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, filter, sums], index) => (
            <tr key={index}>
              <td data-phone="main">
                {filter === undefined ? (
                  <span className="i2">{name}</span>
                ) : (
                  <Link to="." search={(now: object) => ({ ...now, cursor: undefined, ...filter })} className="quiet-link b">
                    <bdi>{name}</bdi>
                  </Link>
                )}
              </td>
              <td className="end-a num">{number(sums.calls)}</td>
              <td className={sums.failed > 0 ? 'end-a num c-bad' : 'end-a num i3'}>{number(sums.failed)}</td>
              <td className="end-a num i2" data-phone="below">
                {u.tokensOf(number(sums.inputTokens), number(sums.outputTokens))}
                {sums.failed > 0 && <span className="phone-only c-bad">{u.failedOf(number(sums.failed))}</span>}
              </td>
              <td className="end-a num" data-phone="side">
                {costText(sums.cost, currency)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
