import { einvoice } from '@millrace/contract'
import { type Billing, einvoiceSource } from '#modules/billing/index.ts'
import { createEinvoices, createEinvoiceWork, deleteEinvoicesOf, einvoiceHandlers } from '#modules/einvoice/index.ts'
import { served } from '#platform/http/index.ts'
import type { Feature, FeatureParts } from './feature.ts'

/** E-invoices after EN 16931, with development signatures. */
export function composeEinvoice(
  { connectors, sealing, system, printer, config }: FeatureParts,
  invoices: Pick<Billing, 'invoice'>,
): Feature {
  const { newId, randomBytes } = system
  const service = createEinvoices({ sealing, printer, work: createEinvoiceWork(), now: () => new Date(system.now()), newId, randomBytes })
  connectors.provideEinvoices(service)
  const handlers = einvoiceHandlers(service, async (tx, accountId, id) => {
    const invoice = await invoices.invoice(tx, accountId, id)
    const corrected = invoice.corrects === undefined ? undefined : await invoices.invoice(tx, accountId, invoice.corrects)
    return einvoiceSource(invoice, config.billing.issuerDetails, corrected)
  })
  return { groups: { einvoice: served(einvoice, handlers) }, purge: deleteEinvoicesOf }
}
