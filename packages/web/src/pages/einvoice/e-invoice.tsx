import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { Crumbs } from '#src/app/crumbs.tsx'
import { m } from '#src/messages/messages.ts'
import { Made } from '#src/pages/einvoice/made.tsx'
import { Loaded } from '#src/patterns/loaded.tsx'

/** One e-invoice with its files. */
export function Page() {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const query = useQuery({ queryKey: ['einvoice', id], queryFn: () => api.einvoice.get({ params: { id } }) })
  return (
    <Loaded query={query}>
      {(invoice) => (
        <div className="page wide">
          <Crumbs title={invoice.number}>
            <Link to="/e-invoices">{m.einvoice.title}</Link> <span className="i3">/</span> <b>{invoice.number}</b>
          </Crumbs>
          <header className="row wrap pagehead">
            <h1>
              {m.billing.kinds[invoice.kind]} <bdi>{invoice.number}</bdi>
            </h1>
            <span className="sp" />
            <Link to="/e-invoices/new" search={{ like: invoice.id }} className="btn">
              {m.einvoice.another}
            </Link>
          </header>
          <Made key={invoice.id} invoice={invoice} />
        </div>
      )}
    </Loaded>
  )
}
