import { createJobThreads } from '@millrace/engine/threads'
import type { PrintedInvoice } from '#platform/pdf/invoice-pdf.ts'
import { outcomeOrOverloaded } from './outcome-or-overloaded.ts'

export interface InvoicePrinter {
  /** Makes a PDF/A-3b for an account. Fault `overloaded` when it cannot be made in time. */
  print(accountId: string, invoice: PrintedInvoice): Promise<Buffer>
}

/** Printing in threads of their own: an invoice of a thousand lines takes seconds. */
export function createInvoicePrinter(): InvoicePrinter {
  const pool = createJobThreads<PrintedInvoice, Uint8Array | undefined>({
    module: new URL('./print-thread.ts', import.meta.url),
    maxOldGenerationSizeMb: 512,
    stackSizeMb: 4,
    idleMs: 30_000,
    queuedMax: 10,
    deadlineMs: 30_000,
    stopped: () => undefined,
  })
  return {
    async print(accountId, invoice) {
      const pdf = await outcomeOrOverloaded(pool.run(invoice, { accountId }), {
        full: 'Too many documents are being made. Try again later.',
        late: 'The PDF could not be made in time. Try again later.',
      })
      return Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
    },
  }
}
