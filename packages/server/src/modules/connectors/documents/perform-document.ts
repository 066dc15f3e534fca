import { Fault } from '@millrace/contract'
import { readManifestText, readOpenApiText } from '#modules/connectors/account/read-source.ts'
import { checkDocument } from '#modules/connectors/check-document.ts'
import type { DocumentJob, DocumentOutcome } from './document-job.ts'

export async function performDocument(job: DocumentJob): Promise<DocumentOutcome> {
  try {
    if (job.kind === 'check') return { kind: 'checked', checked: await checkDocument(job.proposal) }
    const read = job.kind === 'openapi' ? readOpenApiText : readManifestText
    return { kind: 'read', source: read(job.text, job.pointer) }
  } catch (error) {
    if (error instanceof Fault && error.code === 'connector_invalid') return { kind: 'invalid', errors: error.details.errors ?? [] }
    throw error
  }
}
