import type { groups, Reply } from '@millrace/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { ListPage } from '#src/patterns/list-page.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Time } from '#src/ui/time.tsx'
import { bytes, day, money, number } from '#src/values/format.ts'

type Usage = Reply<(typeof groups)['billing']['usage']>
type Meter = Usage['meters'][number]

/** The plan, what is used of it, and the invoices. */
export function Page() {
  const p = m.plan
  const states: Readonly<Record<string, string>> = p.states
  return (
    <ListPage
      title={p.title}
      name="invoices"
      above={<Plan />}
      load={(query) => api.billing.invoices({ query })}
      id={({ id }) => id}
      columns={[
        { head: p.number, phone: 'main', cell: (invoice) => <bdi className="mono b">{invoice.number}</bdi> },
        {
          head: p.state,
          phone: 'side',
          cell: ({ state }) => <Badge tone={state === 'paid' ? 'ok' : state === 'open' ? 'wait' : 'bad'}>{states[state] ?? state}</Badge>,
        },
        { head: p.net, end: true, cell: ({ net, currency }) => <span className="num i2">{money(net, currency)}</span> },
        { head: p.tax, end: true, cell: ({ tax, currency }) => <span className="num i2">{money(tax, currency)}</span> },
        { head: p.total, end: true, phone: 'below', cell: ({ total, currency }) => <b className="num b">{money(total, currency)}</b> },
      ]}
      empty={{ title: p.noInvoices, text: p.noInvoicesText }}
    />
  )
}

function Plan() {
  const p = m.plan
  const subscription = useQuery({ queryKey: ['subscription'], queryFn: () => api.billing.subscription() })
  const usage = useQuery({ queryKey: ['usage'], queryFn: () => api.billing.usage() })
  return (
    <>
      <Loaded query={subscription}>
        {({ plan, price, interval, currentPeriodEnd, state }) => (
          <section className="panel acard">
            <header className="row wrap">
              <h2 className="t20">{plan.name}</h2>
              <Badge tone={state === 'active' || state === 'trialing' ? 'race' : 'wait'}>{state}</Badge>
              <span className="sp" />
              {price !== null && <b className="num">{`${money(price.amount, price.currency)} / ${interval ?? ''}`}</b>}
            </header>
            {currentPeriodEnd !== null && (
              <p className="t13 i2">
                {p.until} {day(currentPeriodEnd)}
              </p>
            )}
          </section>
        )}
      </Loaded>
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
          </section>
        )}
      </Loaded>
    </>
  )
}

const percentMax = 100
const nearPercent = 80

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
