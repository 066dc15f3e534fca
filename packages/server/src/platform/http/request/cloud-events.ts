import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import { type AnyOperation, eventBatchType, eventType, Fault, type InvalidPart } from '@millrace/contract'
import { escapePointer } from '#platform/json-pointer.ts'
import { readBody, readJson } from './body.ts'

/** The body of a request and the headers that describe it. */
export interface BodySource {
  readonly contentType: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer | undefined
}

/** The body in the form that the operation declares. */
export interface PlacedBody {
  readonly value: unknown
  /** Maps the pointer of a part of the value to its position in the request. */
  place(part: InvalidPart): InvalidPart
}

/**
 * Reads CloudEvents in any mode into the member `field` of the body. Plain JSON with that member is accepted as well.
 *
 * Faults: those of `readBody`, and `request_invalid` for headers that cannot be decoded. Source: CloudEvents 1.0.2, HTTP Protocol Binding.
 */
export function readEvents(op: AnyOperation, field: string, source: BodySource): PlacedBody {
  const { contentType = '', body = Buffer.alloc(0) } = source
  const essence = essenceOf(contentType)
  if (essence === eventType) return single(field, readJson(body))
  if (essence === eventBatchType) return batch(field, readJson(body))
  if (essence.startsWith('application/cloudevents'))
    throw new Fault('unsupported_media_type', { detail: `Send events as ${eventType}, as ${eventBatchType}, or in binary mode.` })
  if (isBinary(source.headers)) return binary(field, source)
  const value = readBody(op, source.contentType, source.body)
  if (Array.isArray(value)) return batch(field, value)
  const wraps = typeof value !== 'object' || value === null || (Object.hasOwn(value, field) && !Object.hasOwn(value, 'specversion'))
  return wraps ? { value, place: (part) => part } : single(field, value)
}

/** The bytes that identify an event in binary mode: its headers and body, since two requests with the same body may be two events. */
export function withEventHeaders({ headers, body = Buffer.alloc(0) }: BodySource): Uint8Array {
  const names = attributesIn(headers).toSorted()
  if (names.length === 0) return body
  const described = JSON.stringify([headers['content-type'], names.map((name) => [name, headers[name]])])
  return Buffer.concat([Buffer.from(described), Buffer.from('\n'), body])
}

function single(field: string, event: unknown): PlacedBody {
  return { value: { [field]: [event] }, place: (part) => ({ ...part, pointer: part.pointer.slice(`/${field}/0`.length) }) }
}

function batch(field: string, events: unknown): PlacedBody {
  return { value: { [field]: events }, place: (part) => ({ ...part, pointer: part.pointer.slice(`/${field}`.length) }) }
}

const prefix = 'ce-'

function attributesIn(headers: IncomingHttpHeaders): string[] {
  return Object.keys(headers).filter((name) => name.startsWith(prefix))
}

function isBinary(headers: IncomingHttpHeaders): boolean {
  return ['ce-specversion', 'ce-id', 'ce-source', 'ce-type'].some((name) => headers[name] !== undefined)
}

/** Attributes that binary mode carries in the body and in Content-Type, never in headers of their own. */
const elsewhere: ReadonlySet<string> = new Set(['ce-data', 'ce-data_base64', 'ce-datacontenttype'])

/** Attributes in headers, data in the body. */
function binary(field: string, { headers, contentType, body }: BodySource): PlacedBody {
  const event: Record<string, unknown> = Object.create(null)
  for (const name of attributesIn(headers)) {
    const value = headers[name]
    if (typeof value === 'string' && !elsewhere.has(name)) event[name.slice(prefix.length)] = decoded(name, value)
  }
  if (contentType !== undefined) event.datacontenttype = contentType
  if (body !== undefined && body.length > 0) Object.assign(event, dataOf(contentType ?? '', body))
  return { value: { [field]: [event] }, place: (part) => placeInHeaders(part, `/${field}/0`) }
}

function placeInHeaders(part: InvalidPart, base: string): InvalidPart {
  const [, name = '', ...rest] = part.pointer.slice(base.length).split('/')
  if (name === 'data' || name === 'data_base64') return { ...part, pointer: rest.map((token) => `/${token}`).join('') }
  return { ...part, pointer: name === 'datacontenttype' ? '/content-type' : `/${prefix}${name}`, in: 'header' }
}

/** JSON as it is, text as text, anything else as base64. */
function dataOf(contentType: string, body: Buffer): { readonly data: unknown } | { readonly data_base64: string } {
  const essence = essenceOf(contentType)
  if (/^[^/]+\/(?:json|[^/]+\+json)$/.test(essence)) return { data: readJson(body) }
  if (!essence.startsWith('text/') || !isUtf8(body) || body.includes(0)) return { data_base64: body.toString('base64') }
  return { data: body.toString('utf8') }
}

/** The value of an attribute: quoted or not, and percent-encoded. Source: HTTP Protocol Binding, "HTTP Header Values". */
function decoded(name: string, text: string): string {
  const unquoted = text.replaceAll(/"((?:[^"\\]|\\.)*)"/g, (_match, inner: string) => inner.replaceAll(/\\(.)/g, '$1'))
  if (!/[^\u0020-\u007e]/.test(unquoted)) {
    try {
      const value = decodeURIComponent(unquoted)
      if (!value.includes('\0')) return value
    } catch {
      // Reported below.
    }
  }
  const errors = [{ pointer: `/${escapePointer(name)}`, detail: 'Must be percent-encoded UTF-8 without NUL.', in: 'header' as const }]
  throw new Fault('request_invalid', { errors })
}

function essenceOf(contentType: string): string {
  return (contentType.split(';')[0] ?? '').trim().toLowerCase()
}
