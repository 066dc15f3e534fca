import type { Json } from '#core/json.ts'
import type { PreparedCall } from './arguments.ts'
import { toBase64 } from './base64.ts'
import { parseContent } from './content.ts'
import { type TextMask, masked } from '#core/secret-mask.ts'
import type { HttpReply } from './port.ts'

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
