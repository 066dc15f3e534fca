import type { JsonValue } from '@millrace/contract'

/** One reference token of a JSON Pointer (RFC 6901). */
export function escapePointer(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The value at a JSON Pointer, which begins with a slash; undefined where the document has none. */
export function valueAt(document: JsonValue, pointer: string): JsonValue | undefined
export function valueAt(document: unknown, pointer: string): unknown
export function valueAt(document: unknown, pointer: string): unknown {
  let node = document
  for (const token of pointer.slice(1).split('/')) {
    if (typeof node !== 'object' || node === null) return undefined
    node = Object.entries(node).find(([name]) => name === unescapePointer(token))?.[1]
  }
  return node
}

/** The name that a reference token of a JSON Pointer stands for. */
export function unescapePointer(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}
