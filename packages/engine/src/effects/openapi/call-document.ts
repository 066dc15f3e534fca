import type { Json, JsonObject } from '#core/json.ts'
import { createTextMask } from '#core/secret-mask.ts'
import type { EffectCall } from '#durable/ports/effects.ts'
import { shapeOutput, withMaskedErrors } from '#effects/http/call-http.ts'
import { contextOf, type HttpEffectDeps, toWorkflowError } from '#effects/http/effect-call.ts'
import { createCredentialCache } from '#effects/http/index.ts'
import { checkStatus, performCall } from '#effects/http/perform-call.ts'
import type { OpenApiDocument } from './document/document.ts'
import { indexOperations } from './document/index-operations.ts'
import { prepareRequest } from './request/prepare-request.ts'

/** An operation of a document that was read before, with its parameters by name. */
export interface DocumentCall {
  readonly document: OpenApiDocument
  readonly operationId: string
  readonly parameters: JsonObject
  /** Replaces the servers of the document. */
  readonly server: string | undefined
}

/** An OpenAPI 3 document that is at hand. @param url that its relative addresses are relative to. */
export function openDocument(root: JsonObject, url: string): OpenApiDocument {
  return { version: 3, root, url, ...indexOperations(root) }
}

/** Performs an operation as `call: openapi` does, without fetching the document. Raises WorkflowError for what a workflow may catch. */
export async function callDocument(call: EffectCall, target: DocumentCall, deps: HttpEffectDeps): Promise<Json> {
  const ctx = contextOf(call, deps, createCredentialCache(deps.clock))
  const mask = createTextMask(ctx.sensitive ?? [])
  const { operationId, parameters, server } = target
  const document = server === undefined ? target.document : servedFrom(target.document, operationId, server)
  try {
    return await withMaskedErrors(mask, async () => {
      const request = prepareRequest(document, { ...settings, operationId, parameters }, ctx)
      const { sent, reply } = await performCall(request, ctx, mask)
      checkStatus(sent, reply, ctx.clock())
      return shapeOutput(sent, reply, mask)
    })
  } catch (error) {
    throw toWorkflowError(error)
  }
}

const settings = {
  // The document is at hand, so that its address is not read.
  document: { url: new URL('https://document.invalid/'), authentication: undefined },
  authentication: undefined,
  output: 'content',
  redirect: false,
} as const

/** The document with one server for an operation, wherever it names its own. */
function servedFrom(document: OpenApiDocument, operationId: string, url: string): OpenApiDocument {
  const places = document.operations.get(operationId) ?? []
  const servers = [{ url }]
  const moved = places.map((place) => ({ ...place, operation: { ...place.operation, servers } }))
  return { ...document, root: { ...document.root, servers }, operations: new Map([[operationId, moved]]) }
}
