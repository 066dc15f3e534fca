import { createJobThreads } from '@millrace/engine/threads'
import type { PrintedInvoice } from '#platform/pdf/invoice-pdf.ts'
import type { PrintedReport } from '#platform/pdf/printed-report.ts'
import { outcomeOrOverloaded } from './outcome-or-overloaded.ts'

export interface Printer {
  /** Makes a PDF/A-3b for an account. Fault `overloaded` when it cannot be made in time. */
  print(accountId: string, invoice: PrintedInvoice): Promise<Buffer>
  printReport(accountId: string, report: PrintedReport): Promise<Buffer>
}

export type Printed =
  | { readonly kind: 'invoice'; readonly invoice: PrintedInvoice }
  | { readonly kind: 'report'; readonly report: PrintedReport }

/** Printing in threads of their own: an invoice of a thousand lines takes seconds. */
export function createPrinter(): Printer {
  // A caller waits for an invoice. A report is made in the background, so that it may take its time on a machine with much other work.
  const pools = { invoice: openPool(30_000), report: openPool(300_000) }

  async function make(accountId: string, printed: Printed): Promise<Buffer> {
    const pdf = await outcomeOrOverloaded(pools[printed.kind].run(printed, { accountId }), {
      full: 'Too many documents are being made. Try again later.',
      late: 'The PDF could not be made in time. Try again later.',
    })
    return Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  }

  return {
    print: (accountId, invoice) => make(accountId, { kind: 'invoice', invoice }),
    printReport: (accountId, report) => make(accountId, { kind: 'report', report }),
  }
}

function openPool(processorMsMax: number) {
  return createJobThreads<Printed, Uint8Array | undefined>({
    module: new URL('./print-thread.ts', import.meta.url),
    maxOldGenerationSizeMb: 512,
    stackSizeMb: 4,
    idleMs: 30_000,
    queuedMax: 10,
    processorMsMax,
    stopped: () => undefined,
  })
}
