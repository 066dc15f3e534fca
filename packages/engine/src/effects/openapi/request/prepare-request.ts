import type { PreparedCall } from '#effects/http/arguments.ts'
import type { HttpCallContext } from '#effects/http/context.ts'
import { HttpCallError } from '#effects/http/http-call-error.ts'
import type { OpenApiCall } from '#effects/openapi/arguments.ts'
import type { OpenApiDocument } from '#effects/openapi/document/document.ts'
import { findOperation } from '#effects/openapi/document/find-operation.ts'
import { readOpenApi3 } from '#effects/openapi/operation/read-openapi-3.ts'
import { readSwagger2 } from '#effects/openapi/operation/read-swagger-2.ts'
import { quote } from '#effects/openapi/quote.ts'
import { assign } from './assign.ts'
import { encodeContent } from './encode-content.ts'
import { requestHeaders } from './request-headers.ts'
import { targetUrl } from './target.ts'

/** Makes the request of an operation out of what the document says and what the author gives. */
export function prepareRequest(
  document: OpenApiDocument,
  call: OpenApiCall,
  ctx: Pick<HttpCallContext, 'idempotencyKey' | 'randomId'>,
): PreparedCall {
  const source = { root: document.root, ...findOperation(document, call.operationId) }
  if (source.method === 'TRACE') {
    throw new HttpCallError('configuration', `The operation ${quote(call.operationId)} has the method TRACE, which is not supported.`)
  }
  const operation = document.version === 2 ? readSwagger2(source, document.url) : readOpenApi3(source)
  const assignment = assign(operation, call.parameters)
  const { body } = assignment
  const encoded = body === undefined ? undefined : encodeContent(body.chosen, body.value, ctx.randomId)
  const headers = requestHeaders(operation, assignment, ctx.idempotencyKey)
  return {
    method: operation.method,
    writtenMethod: operation.method,
    url: targetUrl(operation, assignment, document.url),
    headers: encoded === undefined ? headers : { ...headers, 'content-type': encoded.contentType },
    body: encoded?.body,
    output: call.output,
    redirect: call.redirect,
    authentication: call.authentication,
  }
}
