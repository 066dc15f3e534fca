import type { InvalidPart } from '@millrace/contract'
import { createJobThreads } from '@millrace/engine/threads'
import type { ConnectorDocument } from './model.ts'

/** Validates an OpenAPI document for an account. */
export type OpenApiValidation = (accountId: string, document: ConnectorDocument) => Promise<readonly InvalidPart[]>

const refused = (detail: string): readonly InvalidPart[] => [{ pointer: '/document', detail }]
const tooMuch = 'Takes too long or too much memory to validate. Simplify its references.'

/** Validation in a thread of its own, since the parser follows references without a bound. */
export function createOpenApiValidation(): OpenApiValidation {
  const pool = createJobThreads<ConnectorDocument, readonly InvalidPart[]>({
    module: new URL('./openapi-thread.ts', import.meta.url),
    maxOldGenerationSizeMb: 512,
    stackSizeMb: 8,
    idleMs: 10_000,
    queuedMax: 5,
    processorMsMax: 6_000,
    stopped: () => refused(tooMuch),
  })
  return (accountId, document) => pool.run(document, { accountId })
}
