import type { Json } from '#core/json.ts'
import { createTextMask, masked, type TextMask } from '#core/secret-mask.ts'
import { prepareCall, type PreparedCall } from './arguments.ts'
import { toBase64 } from './body.ts'
import { parseContent } from './content.ts'
import type { HttpCallContext } from './context.ts'
import { HttpCallError } from './http-call-error.ts'
import { checkStatus, performCall } from './perform-call.ts'
import type { HttpReply } from './port.ts'

/**
 * Performs `call: http` of the DSL and gives the task's raw output.
 *
 * The arguments are those of the definition with every expression evaluated; URI templates are still to be expanded. Throws
 * HttpCallError for what a workflow can catch, with secrets masked, and the signal's reason when it is aborted.
 * Source: DSL reference, HTTP Call.
 */
export async function callHttp(args: Json, ctx: HttpCallContext): Promise<Json> {
  const mask = createTextMask(ctx.sensitive ?? [])
  return withMaskedErrors(mask, async () => {
    const { sent, reply } = await performCall(prepareCall(args, ctx), ctx, mask)
    checkStatus(sent, reply, ctx.clock())
    return shapeOutput(sent, reply, mask)
  })
}

/** Shapes a reply as the `output` argument says. Source: DSL reference, HTTP Call and HTTP Response. */
export function shapeOutput(call: PreparedCall, reply: HttpReply, mask: TextMask): Json {
  if (call.output === 'raw') return toBase64(reply.body)
  const content = parseContent(reply.body, reply.headers['content-type'])
  if (call.output === 'content') return content
  return {
    request: { method: call.writtenMethod, uri: mask.text(call.url.href), headers: maskHeaders(call.headers, mask) },
    statusCode: reply.status,
    headers: { ...reply.headers },
    content,
  }
}

/** Headers whose value is a credential whatever it says. */
const credentials: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie'])

function maskHeaders(headers: Readonly<Record<string, string>>, mask: TextMask): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, credentials.has(name) ? masked : mask.text(value)]))
}

/** Does the work and masks the secrets in the error of a call that fails. */
export async function withMaskedErrors<T>(mask: TextMask, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof HttpCallError ? maskError(error, mask) : error
  }
}

function maskError(error: HttpCallError, mask: TextMask): HttpCallError {
  const { detail } = error.error
  return detail === undefined ? error : error.withDetail(mask.text(detail))
}
