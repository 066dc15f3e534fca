import { Fault } from '@millrace/contract'
import * as z from 'zod'

/** Encodes the end of a page for the next request. The content is not secret, and is validated when it is read. */
export function encodeCursor(position: readonly (string | number | null)[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/** Reads a cursor of the given shape; a Fault with its pointer when it is not valid. */
export function decodeCursor<T>(cursor: string, shape: z.ZodType<T>): T {
  const result = shape.safeParse(parse(cursor))
  if (result.success) return result.data
  throw cursorFault()
}

export function cursorFault(): Fault {
  return new Fault('request_invalid', {
    errors: [{ pointer: '/cursor', detail: 'Is not a `nextCursor` of this list with these parameters.', in: 'query' }],
  })
}

const idShape = z.tuple([z.uuid()])

/** The id in a cursor that contains only an id: the last of the previous page. */
export function decodeId(cursor: string | undefined): string | undefined {
  return cursor === undefined ? undefined : decodeCursor(cursor, idShape)[0]
}

/** Makes a page of `limit` items from a query for one more, by which the page knows whether another one follows. */
export function pageOf<T>(found: readonly T[], limit: number, cursorAfter: (last: T) => string): { data: T[]; nextCursor: string | null } {
  const data = found.slice(0, limit)
  const last = data.at(-1)
  return { data, nextCursor: found.length > limit && last !== undefined ? cursorAfter(last) : null }
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}
