import type { groups, Reply } from '@millrace/contract'
import { useMutation } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { SavePdf } from '#src/api/save-pdf.tsx'
import { m } from '#src/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'
import { wordsOf } from '#src/ui/problem.tsx'
import { toast } from '#src/ui/toast.tsx'
import { day, money } from '#src/values/format.ts'
import { saveFile } from '#src/values/save-file.ts'

type Invoice = Reply<(typeof groups)['billing']['invoice']>

/** One invoice with its lines. */
export function InvoiceSheet({ invoice }: { readonly invoice: Invoice }) {
  const b = m.billing
  const { lines, net, tax, taxPercent, total, credit, due, currency, buyer, issuer, issuedAt, paidAt, reason } = invoice
  const generate = useMutation({
    mutationFn: () => api.einvoice.generateFromInvoice({ body: { invoiceId: invoice.id } }),
    onSuccess: ({ number, xml }) => saveFile(`${number}.xml`, xml, 'application/xml'),
    onError: (error) => toast(wordsOf(error).detail, 'faulted'),
  })
  const sums = [
    [m.plan.net, net],
    [`${m.plan.tax} ${taxPercent} %`, tax],
    [m.plan.total, total],
    ...(credit === 0 ? [] : [[b.paidByCredit, -credit] as const]),
    [b.due, due],
  ] as const
  return (
    <div className="form">
      <p className="t13 i2">
        {b.kinds[invoice.kind]} · {issuer} → {buyer.name} {buyer.country ?? ''} · {day(issuedAt)}
        {paidAt === null ? '' : ` · ${b.paidOn(day(paidAt))}`}
      </p>
      {reason !== null && <p>{reason}</p>}
      <table className="sums">
        <caption className="vh">{invoice.number}</caption>
        <tbody>
          {lines.map((line) => (
            <tr key={line.description}>
              <th scope="row">{line.description}</th>
              <td className="num end-a">{money(line.net, currency)}</td>
            </tr>
          ))}
          {sums.map(([label, amount]) => (
            <tr key={label} className="sum">
              <th scope="row">{label}</th>
              <td className="num end-a">{money(amount, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="row">
        <SavePdf operation="billing.invoicePdf" path={`/api/v1/billing/invoices/${invoice.id}/pdf`} name={`${invoice.number}.pdf`} />
        <Button icon="download" busy={generate.isPending} onClick={() => generate.mutate()}>
          {m.billing.eInvoice}
        </Button>
        <Button
          icon="download"
          onClick={() => saveFile(`${invoice.number}.json`, JSON.stringify(invoice, undefined, 2), 'application/json')}
        >
          {b.save}
        </Button>
      </div>
    </div>
  )
}
