export { createInvoicePrinter, type InvoicePrinter } from './invoice-printer.ts'
export { outcomeOrOverloaded } from './outcome-or-overloaded.ts'
