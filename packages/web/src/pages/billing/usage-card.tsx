import type { groups, Reply } from '@millrace/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { DayBars } from '#src/values/day-bars.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Time } from '#src/ui/time.tsx'
import { bytes, number } from '#src/values/format.ts'

type Meter = Reply<(typeof groups)['billing']['usage']>['meters'][number]

const percentMax = 100
const nearPercent = 80
const days = 30

/** What is used of the plan in this period, and the runs of the last 30 days. */
export function UsageCard() {
  const p = m.plan
  const usage = useQuery({ queryKey: ['usage'], queryFn: () => api.billing.usage() })
  const history = useQuery({
    queryKey: ['usage', 'history'],
    queryFn: () => api.billing.usageHistory({ query: { days, meter: 'executions' } }),
  })
  return (
    <Loaded query={usage}>
      {({ meters, periodEnd }) => (
        <section className="panel acard">
          <header className="row wrap">
            <h2 className="t14 bb">{p.usage}</h2>
            <span className="t13 i2">
              {p.resets} <Time at={periodEnd} kind="ago" />
            </span>
          </header>
          {meters.map((meter) => (
            <MeterRow key={meter.meter} meter={meter} />
          ))}
          {history.data !== undefined && (
            <DayBars title={m.billing.history} days={days} rows={history.data.data.map(({ day, amount }) => [day, amount] as const)} />
          )}
        </section>
      )}
    </Loaded>
  )
}

function MeterRow({ meter: { meter, used, soft, hard, percent } }: { readonly meter: Meter }) {
  const show = (value: number) => (meter === 'storage_bytes' ? bytes(value) : number(value))
  const limit = soft ?? hard
  const words: Readonly<Record<string, string>> = m.plan.meters
  return (
    <div>
      <p className="row between t13">
        <span>{words[meter] ?? meter}</span>
        <span className="num i2">{limit === null ? show(used) : `${show(used)} / ${show(limit)}`}</span>
      </p>
      {percent !== null && (
        <progress
          className={percent >= nearPercent ? 'meter near' : 'meter'}
          max={percentMax}
          value={Math.min(percentMax, percent)}
          aria-label={words[meter] ?? meter}
        />
      )}
    </div>
  )
}
