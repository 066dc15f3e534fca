import { performJobs } from '@millrace/engine/threads'
import { makeInvoicePdf, type PrintedInvoice } from '#platform/pdf/invoice-pdf.ts'

performJobs<PrintedInvoice>(makeInvoicePdf)
