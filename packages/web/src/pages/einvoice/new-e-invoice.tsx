import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '#src/api/client.ts'
import { m } from '#src/messages/messages.ts'
import { InvoiceForm } from '#src/pages/einvoice/invoice-form.tsx'
import { noValues } from '#src/pages/einvoice/invoice-values.ts'
import { valuesLike } from '#src/pages/einvoice/values-like.ts'
import { Loaded } from '#src/patterns/loaded.tsx'
import { Page as Shell } from '#src/patterns/page.tsx'

/** Makes an e-invoice, and leads to its page. The seller is that of the one before, or of the one that the address names. */
export function Page() {
  const e = m.einvoice
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { like }: { like?: string } = useSearch({ strict: false })
  const initial = useQuery({
    queryKey: ['einvoice-values', like],
    queryFn: () => valuesBefore(like),
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  return (
    <Loaded query={initial}>
      {(values) => (
        <Shell title={e.create} lede={e.lede} wide>
          <InvoiceForm
            initial={values}
            done={(invoice) => {
              queries.setQueryData(['einvoice', invoice.id], invoice)
              void queries.invalidateQueries({ queryKey: ['einvoices'] })
              void navigate({ to: `/e-invoices/${invoice.id}` })
            }}
          />
        </Shell>
      )}
    </Loaded>
  )
}

async function valuesBefore(like: string | undefined) {
  const id = like ?? (await api.einvoice.list({ query: { limit: 1 } })).data[0]?.id
  if (id === undefined) return noValues
  const { xml, profile } = await api.einvoice.get({ params: { id } })
  return valuesLike(xml, profile)
}
