import type { PreparedCall } from '#effects/http/arguments.ts'
import type { HttpCallContext } from '#effects/http/context.ts'
import { HttpCallError } from '#effects/http/http-call-error.ts'
import type { TextMask } from '#core/secret-mask.ts'
import { checkStatus, performCall } from '#effects/http/perform-call.ts'
import type { DocumentSource } from '#effects/openapi/arguments.ts'
import type { HttpReply } from '#effects/http/port.ts'
import type { LoadedDocument } from './document-cache.ts'
import type { OpenApiDocument } from './document.ts'

/** Fetches a document, or confirms that the cached one is still current. */
export async function fetchDocument(
  source: DocumentSource,
  ctx: HttpCallContext,
  mask: TextMask,
  stale: LoadedDocument | undefined,
  parse: (bytes: Uint8Array, url: string) => Promise<OpenApiDocument>,
): Promise<LoadedDocument> {
  const reply = await get(source, ctx, mask, stale?.etag)
  if (reply.status === 304 && stale !== undefined) return stale
  return { document: await parse(reply.body, reply.url), etag: reply.headers['etag'], bytes: reply.body.length }
}

async function get(source: DocumentSource, ctx: HttpCallContext, mask: TextMask, etag: string | undefined): Promise<HttpReply> {
  try {
    const { sent, reply } = await performCall(request(source, etag), ctx, mask)
    // A redirect that led nowhere is no document, whatever the call itself takes for a success.
    if (reply.status !== 304 || etag === undefined) checkStatus({ ...sent, redirect: false }, reply, ctx.clock())
    return reply
  } catch (error) {
    throw error instanceof HttpCallError ? error.withDetail(`The OpenAPI document could not be fetched: ${error.message}`) : error
  }
}

/** No `Idempotency-Key`: it belongs to the call that the document is fetched for. */
function request({ url, authentication }: DocumentSource, etag: string | undefined): PreparedCall {
  const headers = { accept: 'application/json, application/yaml;q=0.9, */*;q=0.8', 'user-agent': 'millrace' }
  return {
    method: 'GET',
    writtenMethod: 'GET',
    url,
    headers: etag === undefined ? headers : { ...headers, 'if-none-match': etag },
    body: undefined,
    output: 'raw',
    redirect: true,
    authentication,
  }
}
