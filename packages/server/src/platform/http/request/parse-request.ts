import { type AnyOperation, Fault, type InvalidPart } from '@millrace/contract'
import type { IncomingHttpHeaders } from 'node:http'
import type { z } from 'zod'
import { escapePointer } from '#platform/json-pointer.ts'
import { parseValue } from '#platform/validation/parse-value.ts'
import { readBody } from './body.ts'
import { readEvents } from './cloud-events.ts'

/** The unparsed parts of a request. */
export interface RawRequest {
  readonly url: string
  readonly params: unknown
  readonly query: unknown
  readonly contentType: string | undefined
  readonly contentEncoding: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer | undefined
}

export interface ParsedRequest {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

const partsMax = 100

/** Parses a request by the declaration of its operation. Undeclared parts must be absent. */
export function parseRequest(op: AnyOperation, raw: RawRequest): ParsedRequest {
  if (raw.url.includes('%00')) throw new Fault('malformed_request', { detail: 'The URL contains the character NUL.' })
  return { params: parseParams(op, raw.params), query: parseQuery(op, raw), body: parseBody(op, raw) }
}

function parseParams(op: AnyOperation, params: unknown): unknown {
  if (op.params === undefined) return undefined
  const schema: z.ZodType = op.params
  const result = schema.safeParse(params)
  // An id that cannot exist is treated like an unknown id: a 404.
  if (!result.success) throw unknownId(result.error, params)
  return result.data
}

/** Names the part of the path, so that a mistyped path is not taken for a resource that is missing. */
function unknownId({ issues }: z.ZodError, params: unknown): Fault {
  const name = issues[0]?.path[0]
  const value: unknown = typeof name === 'string' ? new Map(Object.entries(Object(params))).get(name) : undefined
  const wanted = /^Must be the id of (an? .+)\.$/.exec(issues[0]?.message ?? '')?.[1]
  if (typeof value !== 'string' || wanted === undefined) return new Fault('not_found')
  const list = value === 'executions' ? ' The list of executions is GET /api/v1/executions.' : ''
  return new Fault('not_found', { detail: `"${value.slice(0, 60)}" in the path is not the id of ${wanted}.${list}` })
}

function parseQuery(op: AnyOperation, raw: RawRequest): unknown {
  if (op.query !== undefined) return parsePart(op.query, raw.query, 'query')
  if (!raw.url.includes('?')) return undefined
  const names = typeof raw.query === 'object' && raw.query !== null ? Object.keys(raw.query) : []
  if (names.length === 0) return undefined
  throw new Fault('request_invalid', {
    errors: names.slice(0, partsMax).map((name) => ({
      pointer: `/${escapePointer(name)}`,
      detail: 'Is not known here; this operation takes no query.',
      in: 'query' as const,
    })),
  })
}

function parseBody(op: AnyOperation, raw: RawRequest): unknown {
  if (op.rawBody === true) return undefined
  if (op.streamedBody === true) {
    if (isEncoded(raw)) throw encodedBody()
    return undefined
  }
  const isEmpty = raw.body === undefined || raw.body.length === 0
  if (op.body === undefined && isEmpty) return undefined
  // A small compressed body may exceed the limit of the operation when it is decompressed.
  if (isEncoded(raw)) throw encodedBody()
  if (op.body !== undefined && op.cloudEvents !== undefined) {
    const { value, place } = readEvents(op, op.cloudEvents.field, raw)
    return parsePart(op.body, value, undefined, place)
  }
  if (op.body !== undefined) return parsePart(op.body, readBody(op, raw.contentType, raw.body), undefined)
  const value = readBody(op, raw.contentType, raw.body)
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0) return undefined
  throw new Fault('request_invalid', { errors: [{ pointer: '', detail: 'This operation takes no body.' }] })
}

const isEncoded = ({ contentEncoding }: RawRequest) => contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity'
const encodedBody = () => new Fault('unsupported_media_type', { detail: 'Send the body uncompressed, without Content-Encoding.' })

type Place = (part: InvalidPart) => InvalidPart

function parsePart(schema: z.ZodType, value: unknown, where: 'query' | undefined, place: Place = (part) => part): unknown {
  const result = parseValue(schema, value)
  if (result.errors === undefined) return result.data
  const errors = result.errors.slice(0, partsMax).map((part) => (where === undefined ? part : { ...part, in: where }))
  throw new Fault('request_invalid', { errors: errors.map(place) })
}
