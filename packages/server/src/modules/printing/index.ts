export { createInvoicePrinter, type InvoicePrinter } from './invoice-printer.ts'
