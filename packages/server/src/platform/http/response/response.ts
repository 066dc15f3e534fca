import { Readable } from 'node:stream'
import { Page, ResponseWithHeaders } from './respond.ts'

/** A response before it is sent. */
export interface HttpResponse {
  readonly status: number
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Readable
}

const jsonType = 'application/json; charset=utf-8'
const noHeaders: Readonly<Record<string, string>> = {}

/** Converts the return value of a handler to a response. */
export function responseOf(output: unknown, serialise: (value: unknown) => string): HttpResponse {
  if (!(output instanceof ResponseWithHeaders)) return { status: 200, contentType: jsonType, headers: noHeaders, body: serialise(output) }
  const { value, headers, status } = output
  if (value instanceof Readable) return { status, contentType: headers['content-type'] ?? 'application/octet-stream', headers, body: value }
  if (value instanceof Page) return { status: 200, contentType: 'text/html; charset=utf-8', headers, body: value.html }
  return { status: 200, contentType: jsonType, headers, body: serialise(value) }
}
