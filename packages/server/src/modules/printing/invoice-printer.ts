import { Fault } from '@millrace/contract'
import { createThreadPool, startThread, ThreadPoolError } from '@millrace/engine/threads'
import type { PrintedInvoice } from '#platform/pdf/invoice-pdf.ts'

export interface InvoicePrinter {
  /** Makes a PDF/A-3b for an account. Fault `overloaded` when it cannot be made in time. */
  print(accountId: string, invoice: PrintedInvoice): Promise<Buffer>
}

const deadlineMs = 30_000
const resourceLimits = { maxOldGenerationSizeMb: 512, stackSizeMb: 4 }

/** Printing in threads of their own: an invoice of a thousand lines takes seconds. */
export function createInvoicePrinter(): InvoicePrinter {
  const pool = createThreadPool<PrintedInvoice, Uint8Array | undefined>({
    start: (signal) => startThread(new URL('./print-thread.ts', import.meta.url), undefined, resourceLimits, signal),
    threadsMax: 1,
    threadsMaxContended: 3,
    idleMs: 30_000,
    queuedMax: 10,
    deadlineMs,
    late: () => undefined,
    crashed: () => undefined,
    isSpent: () => false,
  })
  return {
    async print(accountId, invoice) {
      const pdf = await pool.run(invoice, { accountId }).catch((error: unknown) => {
        if (!(error instanceof ThreadPoolError)) throw error
        throw new Fault('overloaded', { detail: 'Too many documents are being made. Try again later.', retryAfterSeconds: 5, cause: error })
      })
      if (pdf !== undefined) return Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
      throw new Fault('overloaded', { detail: 'The PDF could not be made in time. Try again later.', retryAfterSeconds: 30 })
    },
  }
}
