import { Fault } from '@millrace/contract'
import { createJobThreads, ThreadPoolError } from '@millrace/engine/threads'
import type { ReadSource } from '#modules/connectors/account/model.ts'
import type { CheckedDocument, Proposal } from '#modules/connectors/model.ts'
import type { DocumentJob, DocumentOutcome } from './document-job.ts'

export type DocumentWork = ReturnType<typeof createDocumentWork>

const tooMuch: DocumentOutcome = {
  kind: 'invalid',
  errors: [{ pointer: '/document', detail: 'Takes too long or too much memory to read. Simplify its references, or give it as JSON.' }],
}

/**
 * Reads documents in threads of their own: YAML is read at half a megabyte a second, and the validation follows references without a bound.
 * Fault `connector_invalid` with everything that is wrong.
 */
export function createDocumentWork({ processorMsMax = 10_000 }: { readonly processorMsMax?: number } = {}) {
  const pool = createJobThreads<DocumentJob, DocumentOutcome>({
    module: new URL('./document-thread.ts', import.meta.url),
    maxOldGenerationSizeMb: 512,
    stackSizeMb: 8,
    idleMs: 10_000,
    queuedMax: 25,
    processorMsMax,
    stopped: () => tooMuch,
  })

  async function perform(accountId: string, job: DocumentJob) {
    const outcome = await pool.run(job, { accountId }).catch((error: unknown) => {
      throw error instanceof ThreadPoolError ? new Fault('overloaded', { retryAfterSeconds: 10, cause: error }) : error
    })
    if (outcome.kind === 'invalid') throw new Fault('connector_invalid', { errors: outcome.errors })
    return outcome
  }

  return {
    async check(accountId: string, proposal: Proposal): Promise<CheckedDocument> {
      const outcome = await perform(accountId, { kind: 'check', proposal })
      if (outcome.kind === 'checked') return outcome.checked
      throw new Error(`a check ended with ${outcome.kind}`)
    },
    async read(accountId: string, job: Exclude<DocumentJob, { readonly kind: 'check' }>): Promise<ReadSource> {
      const outcome = await perform(accountId, job)
      if (outcome.kind === 'read') return outcome.source
      throw new Error(`a document was read with ${outcome.kind}`)
    },
  }
}
