import { Fault } from '@millrace/contract'
import { createThreadPool, startThread, ThreadPoolError } from '@millrace/engine/threads'
import { type EinvoiceJob, type EinvoiceJobKind, type EinvoiceJobs, type EinvoiceOutcome, performEinvoice } from './perform-einvoice.ts'

export interface EinvoiceWork {
  /** Fault `request_invalid` for a source that makes no document; `overloaded` when a long one cannot be worked on in time. */
  run<K extends EinvoiceJobKind>(accountId: string, kind: K, job: EinvoiceJobs[K]['job']): Promise<EinvoiceJobs[K]['result']>
}

const deadlineMs = 30_000
const resourceLimits = { maxOldGenerationSizeMb: 768, stackSizeMb: 8 }
/** Lines with their allowances and charges, and characters of XML, that are worked on in this thread: up to about 10 ms. */
const partsMaxHere = 60
const charactersMaxHere = 32_768

/** Work on e-invoices: on short ones at once, on long ones in threads of their own. */
export function createEinvoiceWork(): EinvoiceWork {
  const pool = createThreadPool<EinvoiceJob, EinvoiceOutcome | undefined>({
    start: (signal) => startThread(new URL('./einvoice-thread.ts', import.meta.url), undefined, resourceLimits, signal),
    threadsMax: 1,
    threadsMaxContended: 3,
    idleMs: 30_000,
    queuedMax: 10,
    deadlineMs,
    late: () => undefined,
    crashed: () => undefined,
    isSpent: () => false,
  })
  async function outcomeOf(accountId: string, job: EinvoiceJob): Promise<EinvoiceOutcome> {
    if (isShort(job)) return performEinvoice(job)
    const outcome = await pool.run(job, { accountId }).catch((error: unknown) => {
      if (!(error instanceof ThreadPoolError)) throw error
      throw new Fault('overloaded', {
        detail: 'Too many long invoices are being made. Try again later.',
        retryAfterSeconds: 5,
        cause: error,
      })
    })
    if (outcome !== undefined) return outcome
    throw new Fault('overloaded', { detail: 'The invoice could not be worked on in time. Try again later.', retryAfterSeconds: 30 })
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
