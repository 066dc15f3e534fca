import { createHash } from 'node:crypto'
import type { AnyOperation } from '@millrace/contract'
import { cursorFault } from '#platform/paging/cursor.ts'
import { ResponseWithHeaders } from '#platform/http/response/respond.ts'
import type { ParsedRequest } from './parse-request.ts'

/** What may differ between two pages: their size, and times, which programs compute from the current one for each page. */
const free: ReadonlySet<string> = new Set(['cursor', 'limit', 'from', 'to', 'since', 'until'])

/** Before the digest of the parameters in a cursor; no cursor contains it otherwise. */
const separator = '.'

export function isPaged({ query }: AnyOperation): boolean {
  return query !== undefined && 'cursor' in query.shape
}

/** The query with the cursor as its list made it, and the digest of the parameters of that list; undefined for a cursor of an older release. */
export function unboundQuery(query: unknown): { readonly query: unknown; readonly digest: string | undefined } {
  const { cursor }: { readonly cursor?: unknown } = Object(query)
  const at = typeof cursor === 'string' ? cursor.lastIndexOf(separator) : -1
  if (typeof cursor !== 'string' || at === -1) return { query, digest: undefined }
  return { query: { ...Object(query), cursor: cursor.slice(0, at) }, digest: cursor.slice(at + separator.length) }
}

/** Fault `request_invalid` if the cursor is one of the list with other parameters. */
export function assertBound(digest: string | undefined, request: ParsedRequest): void {
  if (digest !== undefined && digest !== digestOf(request)) throw cursorFault()
}

/** Binds the cursor of a page to the parameters of its list. */
export function withBoundCursor<T>(output: T, request: ParsedRequest): T {
  const page = output instanceof ResponseWithHeaders ? output.value : output
  if (typeof page !== 'object' || page === null || !('nextCursor' in page) || typeof page.nextCursor !== 'string') return output
  const bound = { ...page, nextCursor: `${page.nextCursor}${separator}${digestOf(request)}` }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The same page with another text.
  return (output instanceof ResponseWithHeaders ? new ResponseWithHeaders(bound, output.headers, output.status) : bound) as T
}

function digestOf({ query, params }: ParsedRequest): string {
  const given = Object.entries(Object(query)).filter(([name, value]) => !free.has(name) && value !== undefined)
  const text = JSON.stringify([given.toSorted(([one], [other]) => (one < other ? -1 : 1)), params ?? null])
  return createHash('sha256').update(text).digest('base64url').slice(0, 11)
}
