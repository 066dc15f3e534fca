import { createHash } from 'node:crypto'
import type { Json } from '#core/json.ts'
import type { HttpCallContext } from '#effects/http/context.ts'
import { createTextMask } from '#core/secret-mask.ts'
import { shapeOutput, withMaskedErrors } from '#effects/http/call-http.ts'
import { checkStatus, performCall } from '#effects/http/perform-call.ts'
import { type DocumentSource, parseArguments } from './arguments.ts'
import type { DocumentCache } from './document/document-cache.ts'
import { fetchDocument } from './document/fetch-document.ts'
import type { OpenApiDocument } from './document/document.ts'
import { prepareRequest } from './request/prepare-request.ts'

export interface OpenApiCallContext extends HttpCallContext {
  readonly accountId: string
  /** All secrets that the workflow may read; they are part of the key of a cached document. */
  readonly secrets: Json
  readonly documents: DocumentCache
  /** Throws HttpCallError for an invalid document. */
  readonly readDocument: (bytes: Uint8Array, url: string) => Promise<OpenApiDocument>
}

/**
 * Performs `call: openapi` of the DSL and gives the task's raw output.
 *
 * The arguments are those of the definition with every expression evaluated. Throws HttpCallError for what a workflow can catch, with
 * secrets masked, and the signal's reason when it is aborted. Source: DSL reference, OpenAPI Call.
 */
export async function callOpenApi(args: Json, ctx: OpenApiCallContext): Promise<Json> {
  const mask = createTextMask(ctx.sensitive ?? [])
  return withMaskedErrors(mask, async () => {
    const call = parseArguments(args, ctx)
    const document = await ctx.documents.take(documentKey(call.document, ctx), ctx.signal, (stale) =>
      // Masked here as well: the error may reach callers without these credentials.
      withMaskedErrors(mask, () => fetchDocument(call.document, ctx, mask, stale, ctx.readDocument)),
    )
    const { sent, reply } = await performCall(prepareRequest(document, call, ctx), ctx, mask)
    checkStatus(sent, reply, ctx.clock())
    return shapeOutput(sent, reply, mask)
  })
}

/** The key includes the credentials, so that a call cannot read a cached document without them. It outlives the call and is therefore hashed. */
function documentKey({ url, authentication }: DocumentSource, { accountId, secrets }: OpenApiCallContext): string {
  const opens = authentication === undefined ? null : [authentication, secrets]
  return createHash('sha256')
    .update(JSON.stringify([accountId, url.href, opens]))
    .digest('base64')
}
