import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { ListPage } from '#src/patterns/list-page.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { day, money } from '#src/values/format.ts'

/** The e-invoices of the account, newest first. */
export function Page() {
  const e = m.einvoice
  const create = (
    <ButtonLink to="/e-invoices/new" look="primary" icon="plus">
      {e.create}
    </ButtonLink>
  )
  return (
    <ListPage
      title={e.title}
      lede={e.lede}
      name="einvoices"
      load={(query) => api.einvoice.list({ query })}
      id={({ id }) => id}
      href={({ id }) => `/e-invoices/${id}`}
      actions={create}
      filters={[{ name: 'search', label: e.find }]}
      columns={[
        { head: e.number, phone: 'main', cell: ({ number }) => <bdi className="mono b">{number}</bdi> },
        { head: e.date, cell: ({ issueDate }) => <span className="i2">{day(issueDate)}</span>, phone: 'below-side' },
        { head: e.kind, cell: ({ kind }) => <span className="i2">{m.billing.kinds[kind]}</span> },
        { head: e.buyer, phone: 'below', cell: ({ buyer }) => <bdi>{buyer ?? '–'}</bdi> },
        {
          head: e.findings,
          cell: ({ findings }) => (
            <span title={findings.map(({ rule, meaning }) => `${rule}: ${meaning}`).join('\n')}>
              {findings.length === 0 ? <span className="i3">{e.noFindings}</span> : <Badge tone="wait">{findings.length}</Badge>}
            </span>
          ),
        },
        { head: m.plan.total, end: true, phone: 'side', cell: ({ total, currency }) => <b className="num b">{money(total, currency)}</b> },
      ]}
      empty={{ title: e.empty, text: e.emptyText, action: create }}
    />
  )
}
