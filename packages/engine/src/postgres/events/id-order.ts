/** Ids are UUIDs of version 7: their order is the order in which the rows were made. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'

export function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

/** @param cursor undefined for the beginning, which every id is after. */
export function isAfter(id: string, cursor: string | undefined): boolean {
  return cursor === undefined || id > cursor
}

/** The lesser of two cursors, where undefined stands for the end. */
export function earlierOf(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return a < b ? a : b
}
