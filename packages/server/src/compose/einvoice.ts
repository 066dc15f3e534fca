import { einvoice } from '@millrace/contract'
import { createEinvoices, createEinvoiceWork, deleteEinvoicesOf, einvoiceHandlers } from '#modules/einvoice/index.ts'
import { served } from '#platform/http/index.ts'
import type { Feature, FeatureParts } from './feature.ts'

/** E-invoices after EN 16931, with development signatures. */
export function composeEinvoice({ sealing, system, printer }: FeatureParts): Feature {
  const { newId, randomBytes } = system
  const service = createEinvoices({ sealing, printer, work: createEinvoiceWork(), now: () => new Date(system.now()), newId, randomBytes })
  return { groups: { einvoice: served(einvoice, einvoiceHandlers(service)) }, purge: deleteEinvoicesOf }
}
