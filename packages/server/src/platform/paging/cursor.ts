import { Fault } from '@millrace/contract'
import * as z from 'zod'

/** Writes where a page ended, for the client to give back; nothing in it is secret, and nothing in it is trusted. */
export function encodeCursor(position: readonly (string | number | null)[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url')
}

/** Reads a cursor of the given shape; a Fault that points at it when it is none. */
export function decodeCursor<T>(cursor: string, shape: z.ZodType<T>): T {
  const result = shape.safeParse(parse(cursor))
  if (result.success) return result.data
  throw new Fault('request_invalid', {
    errors: [{ pointer: '/cursor', detail: 'Is no `nextCursor` of this list with these parameters.', in: 'query' }],
  })
}

const idShape = z.tuple([z.uuid()])

/** The id at which the page before ended, of a cursor that holds nothing else. */
export function decodeId(cursor: string | undefined): string | undefined {
  return cursor === undefined ? undefined : decodeCursor(cursor, idShape)[0]
}

/** A page out of what was found, of which one more than the page holds was asked for. */
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
