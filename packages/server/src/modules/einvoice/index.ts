export { type EinvoiceFile, type EinvoiceReport, verifyEinvoices } from './verify-einvoices.ts'
export { createEinvoices } from './einvoice-service.ts'
export { deleteEinvoicesOf } from './einvoice-store.ts'
export { einvoiceHandlers } from './handlers.ts'
