export { createEinvoices } from './einvoice-service.ts'
export { deleteEinvoicesOf } from './einvoice-store.ts'
export { einvoiceHandlers } from './handlers.ts'
