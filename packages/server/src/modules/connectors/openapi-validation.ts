import type { InvalidPart } from '@millrace/contract'
import { createThreadPool, startThread } from '@millrace/engine/threads'
import type { ConnectorDocument } from './model.ts'

/** Validates an OpenAPI document for an account. */
export type OpenApiValidation = (accountId: string, document: ConnectorDocument) => Promise<readonly InvalidPart[]>

const deadlineMs = 6_000
const resourceLimits = { maxOldGenerationSizeMb: 512, stackSizeMb: 8 }
const refused = (detail: string): readonly InvalidPart[] => [{ pointer: '/document', detail }]
const tooMuch = 'Takes too long or too much memory to validate. Simplify its references.'

/** Validation in a thread of its own, since the parser follows references without a bound. */
export function createOpenApiValidation(): OpenApiValidation {
  const pool = createThreadPool<ConnectorDocument, readonly InvalidPart[]>({
    start: (signal) => startThread(new URL('./openapi-thread.ts', import.meta.url), undefined, resourceLimits, signal),
    threadsMax: 1,
    threadsMaxContended: 3,
    idleMs: 10_000,
    queuedMax: 5,
    deadlineMs,
    late: () => refused(tooMuch),
    crashed: () => refused(tooMuch),
    isSpent: () => false,
  })
  return (accountId, document) => pool.run(document, { accountId })
}
