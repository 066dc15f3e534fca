import { performJobs } from '@millrace/engine/threads'
import { makeInvoicePdf } from '#platform/pdf/invoice-pdf.ts'
import { makeReportPdf } from '#platform/pdf/report-pdf.ts'
import type { Printed } from './printer.ts'

performJobs<Printed>((printed) => (printed.kind === 'invoice' ? makeInvoicePdf(printed.invoice) : makeReportPdf(printed.report)))
