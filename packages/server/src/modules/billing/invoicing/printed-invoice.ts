import type { Invoice } from '#modules/billing/model.ts'
import { moneyText } from '#modules/billing/money/money.ts'
import type { IssuerDetails } from './einvoice-source.ts'
import type { PrintedInvoice } from '#platform/pdf/invoice-pdf.ts'

const dayOf = (date: Date) => date.toISOString().slice(0, 10)
const states: Readonly<Record<Invoice['state'], string>> = { open: 'Open', paid: 'Paid', uncollectible: 'Not collected' }

/** What is on the pages of an invoice or credit note. */
export function printedInvoice(invoice: Invoice, { country, vatId, companyId }: IssuerDetails): PrintedInvoice {
  const { currency, kind, number, issuer, buyer, periodStart, periodEnd, paidAt, reason } = invoice
  const money = (amount: bigint) => moneyText(amount, currency)
  const name = kind === 'invoice' ? 'Invoice' : 'Credit note'
  const isPaid = invoice.state === 'paid' && paidAt !== undefined
  return {
    title: `${name} ${number}`,
    issuedAt: invoice.issuedAt,
    parties: [
      { label: 'From', lines: [issuer, country, vatId && `VAT ${vatId}`, companyId].filter((line) => line !== undefined) },
      { label: 'To', lines: [buyer.name, ...(buyer.country === null ? [] : [buyer.country])] },
    ],
    details: [
      ['Date', dayOf(invoice.issuedAt)],
      ...(periodStart === undefined || periodEnd === undefined
        ? []
        : ([['Period', `${dayOf(periodStart)} – ${dayOf(periodEnd)}`]] as const)),
      ...(kind === 'invoice' ? ([['State', isPaid ? `Paid on ${dayOf(paidAt)}` : states[invoice.state]]] as const) : []),
    ],
    columns: ['Description', 'Net'],
    rows: invoice.lines.map(({ description, net }) => [description, money(net)]),
    totals: [
      ['Net', money(invoice.net)],
      [`Tax ${(invoice.taxBasisPoints / 100).toFixed(2)} %`, money(invoice.tax)],
      ['Total', money(invoice.total)],
      ...(invoice.credit === 0n ? [] : ([['Paid by credit', money(-invoice.credit)]] as const)),
      ...(kind === 'invoice' && isPaid ? ([['Paid', money(-invoice.due)]] as const) : []),
      ...(kind === 'invoice' ? ([['Due', money(isPaid ? 0n : invoice.due)]] as const) : []),
    ],
    notes: reason === undefined ? [] : [`Reason: ${reason}`],
  }
}
