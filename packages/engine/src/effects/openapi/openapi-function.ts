import type { EffectFunction } from '#durable/ports/effects.ts'
import { ownProcessor, type Processor, RanOutError } from '#durable/ports/processor.ts'
import { contextOf, type HttpEffectDeps, toWorkflowError } from '#effects/http/effect-call.ts'
import { HttpCallError } from '#effects/http/http-call-error.ts'
import { createCredentialCache } from '#effects/http/index.ts'
import { callOpenApi } from './call-openapi.ts'
import { createDocumentCache } from './document/document-cache.ts'
import { parseDocument } from './document/parse-document.ts'

export interface OpenApiFunctionDeps extends HttpEffectDeps {
  /** Reads large documents in another thread; here unless given. */
  readonly processor?: Processor
}

/** Documents of so many bytes are read on this thread. */
const bytesHere = 4 * 1024

/** `call: openapi` as a function of the engine. */
export function createOpenApiFunction(deps: OpenApiFunctionDeps): EffectFunction {
  const { processor = ownProcessor } = deps
  const credentials = createCredentialCache(deps.clock)
  const documents = createDocumentCache(deps.clock)
  return async (call) => {
    const { accountId, secrets, signal } = call
    const readDocument = async (bytes: Uint8Array, url: string) => {
      if (bytes.length <= bytesHere) return parseDocument(bytes, url)
      const reading = await processor.perform(accountId, { kind: 'openapi', bytes, url }, signal).catch((error: unknown) => {
        if (!(error instanceof RanOutError)) throw error
        throw new HttpCallError('configuration', `The OpenAPI document at ${url} cannot be read: it ${error.message}.`)
      })
      if (reading.ok) return reading.document
      throw new HttpCallError('configuration', reading.error.detail, reading.error)
    }
    try {
      return await callOpenApi(call.arguments, { ...contextOf(call, deps, credentials), accountId, secrets, documents, readDocument })
    } catch (error) {
      throw toWorkflowError(error)
    }
  }
}
