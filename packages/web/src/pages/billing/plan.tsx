import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { CheckoutStrip } from '#src/pages/billing/checkout-strip.tsx'
import { InvoiceSheet } from '#src/pages/billing/invoice-sheet.tsx'
import { PlanCard } from '#src/pages/billing/plan-card.tsx'
import { UsageCard } from '#src/pages/billing/usage-card.tsx'
import { ListPage } from '#src/patterns/list-page.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Time } from '#src/ui/time.tsx'
import { money } from '#src/values/format.ts'

/** The plan, what is used of it, and the invoices. */
export function Page() {
  const p = m.plan
  const states: Readonly<Record<string, string>> = p.states
  const { open, sheet } = useSheet()
  return (
    <>
      <ListPage
        title={p.title}
        name="invoices"
        above={
          <>
            <CheckoutStrip />
            <div className="cards2">
              <PlanCard />
              <UsageCard />
            </div>
          </>
        }
        load={(query) => api.billing.invoices({ query })}
        id={({ id }) => id}
        filters={[
          {
            name: 'state',
            label: p.state,
            options: (['open', 'paid', 'uncollectible'] as const).map((state) => [state, p.states[state]] as const),
          },
        ]}
        columns={[
          {
            head: p.number,
            phone: 'main',
            cell: (invoice) => (
              <button type="button" className="link" onClick={() => open(invoice.number, () => <InvoiceSheet invoice={invoice} />)}>
                <bdi className="mono b">{invoice.number}</bdi>
              </button>
            ),
          },
          {
            head: p.state,
            phone: 'side',
            cell: ({ state }) => <Badge tone={state === 'paid' ? 'ok' : state === 'open' ? 'wait' : 'bad'}>{states[state] ?? state}</Badge>,
          },
          { head: p.net, end: true, cell: ({ net, currency }) => <span className="num i2">{money(net, currency)}</span> },
          { head: p.tax, end: true, cell: ({ tax, currency }) => <span className="num i2">{money(tax, currency)}</span> },
          { head: p.total, end: true, phone: 'below', cell: ({ total, currency }) => <b className="num b">{money(total, currency)}</b> },
          {
            head: m.billing.issued,
            end: true,
            phone: 'below-side',
            cell: ({ issuedAt }) => (
              <span className="i2">
                <Time at={issuedAt} />
              </span>
            ),
          },
        ]}
        empty={{ title: p.noInvoices, text: p.noInvoicesText }}
      />
      {sheet}
    </>
  )
}
