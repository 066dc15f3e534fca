import { type einvoice, Fault, type Received } from '@millrace/contract'
import type { Invoice } from '#modules/billing/model.ts'
import { decimalText, taxOn } from '#modules/billing/money/money.ts'

type Source = Received<typeof einvoice.generate>['body']

/** What invoices say of the issuer beside the name. */
export interface IssuerDetails {
  readonly country: string | undefined
  readonly vatId: string | undefined
  readonly companyId: string | undefined
}

/**
 * The content of the e-invoice of an invoice or credit note.
 *
 * An invoice with tax is of category S and names the issuer's identifier of VAT; one without tax is not subject to VAT (category O), which must not name it.
 *
 * @param corrected the invoice that a credit note corrects.
 * @throws Fault `conflict` if the installation or the invoice lacks what EN 16931 requires.
 */
export function einvoiceSource(invoice: Invoice, issuer: IssuerDetails, corrected: Invoice | undefined): Source {
  const { kind, currency, buyer, taxBasisPoints, periodStart, periodEnd, paidAt, reason, credit } = invoice
  const isTaxed = taxBasisPoints > 0
  const country = required(issuer.country, 'MILLRACE_BILLING_ISSUER_COUNTRY')
  const identifiers = isTaxed
    ? { vatId: required(issuer.vatId, 'MILLRACE_BILLING_ISSUER_VAT_ID') }
    : { companyId: required(issuer.companyId, 'MILLRACE_BILLING_ISSUER_COMPANY_ID') }
  if (buyer.country === null)
    throw new Fault('conflict', {
      detail: 'The invoice names no country of its buyer, which an e-invoice must. Give `country` when you subscribe.',
    })
  const vat = isTaxed
    ? { category: 'S' as const, rate: (taxBasisPoints / 100).toFixed(2) }
    : { category: 'O' as const, exemptionReason: 'Not subject to VAT' }
  // The tax of a part of an invoice may differ by a minor unit from the one on its net amount, which an e-invoice has.
  const rounding = invoice.total - invoice.net - taxOn(invoice.net, taxBasisPoints)
  const issueDate = dayOf(invoice.issuedAt)
  return {
    profile: 'en16931',
    kind,
    number: String(invoice.number),
    issueDate,
    ...(kind === 'invoice' ? { dueDate: issueDate } : {}),
    currency,
    ...(reason === undefined ? {} : { note: reason }),
    ...(corrected === undefined ? {} : { precedingInvoice: { number: String(corrected.number), issueDate: dayOf(corrected.issuedAt) } }),
    ...(periodStart === undefined || periodEnd === undefined ? {} : { period: { start: dayOf(periodStart), end: dayOf(periodEnd) } }),
    seller: { name: invoice.issuer, ...identifiers, address: { country } },
    buyer: { name: buyer.name, address: { country: buyer.country } },
    // UNTDID 4461: 1, not defined. The provider of payments decides.
    payment: { means: '1', terms: paidAt === undefined ? 'Payable at once.' : `Paid on ${dayOf(paidAt)}.` },
    allowances: [],
    charges: [],
    ...(credit === 0n ? {} : { prepaid: decimalText(credit, currency) }),
    ...(rounding === 0n ? {} : { rounding: decimalText(rounding, currency) }),
    lines: invoice.lines.map(({ description, net }) => ({
      name: description.slice(0, 200),
      quantity: net < 0n ? '-1' : '1',
      unit: 'C62',
      unitPrice: decimalText(net < 0n ? -net : net, currency),
      allowances: [],
      charges: [],
      vat,
    })),
  }
}

function required(value: string | undefined, variable: string): string {
  if (value !== undefined) return value
  throw new Fault('conflict', { detail: `An e-invoice of an invoice needs ${variable}. The operator of this installation sets it.` })
}

const dayOf = (date: Date) => date.toISOString().slice(0, 10)
