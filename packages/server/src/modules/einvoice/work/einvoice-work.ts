import { Fault } from '@millrace/contract'
import { createJobThreads } from '@millrace/engine/threads'
import { outcomeOrOverloaded } from '#modules/printing/index.ts'
import { type EinvoiceJob, type EinvoiceJobKind, type EinvoiceJobs, type EinvoiceOutcome, performEinvoice } from './perform-einvoice.ts'

export interface EinvoiceWork {
  /** Fault `request_invalid` for a source that makes no document; `overloaded` when a long one cannot be worked on in time. */
  run<K extends EinvoiceJobKind>(accountId: string, kind: K, job: EinvoiceJobs[K]['job']): Promise<EinvoiceJobs[K]['result']>
}

/** Lines with their allowances and charges, and characters of XML, that are worked on in this thread: up to about 10 ms. */
const partsMaxHere = 60
const charactersMaxHere = 32_768

/** Work on e-invoices: on short ones at once, on long ones in threads of their own. */
export function createEinvoiceWork(): EinvoiceWork {
  const pool = createJobThreads<EinvoiceJob, EinvoiceOutcome | undefined>({
    module: new URL('./einvoice-thread.ts', import.meta.url),
    maxOldGenerationSizeMb: 768,
    stackSizeMb: 8,
    idleMs: 30_000,
    queuedMax: 10,
    processorMsMax: 30_000,
    stopped: () => undefined,
  })
  async function outcomeOf(accountId: string, job: EinvoiceJob): Promise<EinvoiceOutcome> {
    if (isShort(job)) return performEinvoice(job)
    return outcomeOrOverloaded(pool.run(job, { accountId }), {
      full: 'Too many long invoices are being made. Try again later.',
      late: 'The invoice could not be worked on in time. Try again later.',
    })
  }
  return {
    async run<K extends EinvoiceJobKind>(accountId: string, kind: K, job: EinvoiceJobs[K]['job']) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The kind and the job belong together by the parameters.
      const outcome = await outcomeOf(accountId, { kind, ...job } as EinvoiceJob)
      if (outcome.kind === 'invalid') throw new Fault('request_invalid', { errors: [...outcome.problems] })
      return outcome.result
    },
  }
}

function isShort(job: EinvoiceJob): boolean {
  if ('xml' in job) return job.xml.length <= charactersMaxHere
  const { lines, allowances, charges } = job.source
  const parts = [{ allowances, charges }, ...lines].reduce((sum, each) => sum + 1 + each.allowances.length + each.charges.length, 0)
  return parts <= partsMaxHere
}
