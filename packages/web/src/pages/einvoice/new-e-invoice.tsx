import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { m } from '#src/messages/messages.ts'
import { InvoiceForm } from '#src/pages/einvoice/invoice-form.tsx'
import { Page as Shell } from '#src/patterns/page.tsx'

/** Makes an e-invoice, and leads to its page. */
export function Page() {
  const e = m.einvoice
  const navigate = useNavigate()
  const queries = useQueryClient()
  return (
    <Shell title={e.create} lede={e.lede} wide>
      <InvoiceForm
        done={(invoice) => {
          queries.setQueryData(['einvoice', invoice.id], invoice)
          void queries.invalidateQueries({ queryKey: ['einvoices'] })
          void navigate({ to: `/e-invoices/${invoice.id}` })
        }}
      />
    </Shell>
  )
}
